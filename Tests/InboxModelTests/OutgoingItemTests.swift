import ControlAPI
import Testing

@testable import InboxModel

/// A message from this user is one line, whatever the order of response, entry and outbox.
struct OutgoingItemTests {
    private static let view = Desk.view("a", "App")
    private static let call = Call.send(
        .init(key: "k", conversation: view.key, message: "Hello", reopens: false))
    private static let own = Desk.message("m", by: "user", "Hello", at: 1)

    /// Returns a window that has just sent "Hello".
    private func sending(_ inputs: Input...) -> Desk {
        var desk = Desk.looking(at: Self.view, [Desk.message("1")])
        desk.receive(.typed("Hello\n"), .send(key: "k"))
        for input in inputs { desk.receive(input) }
        return desk
    }

    private func item(_ state: String, error: String? = nil, attempts: Int = 1) -> OutboxItem {
        OutboxItem(
            outboxId: "k", account: "default", kind: "message", conversationId: "a", text: "Hello",
            state: state, attempts: attempts, error: error, createdAt: Desk.morning)
    }

    private func outbox(_ items: OutboxItem..., cut: Bool? = nil) -> Input {
        .answered(.outbox, .outbox(.init(items: items, cut: cut)))
    }

    private static let sent = Input.answered(call, .sent(.init(messageId: "m", queued: false)))
    private static let queued = Input.answered(call, .sent(.init(queued: true, outboxId: "k")))
    private static var arrival: Input {
        .entry(
            Watch.Reply(sequence: 2, type: .messageCreated, at: 0, data: LogDetails(message: own)))
    }

    private func last(_ desk: Desk) -> [String] { desk.lines.dropFirst(2).map(\.sketch) }

    @Test func `A sent message is shown at once, and the composer is empty`() {
        var desk = Desk.looking(at: Self.view, [Desk.message("1")])
        desk.receive(.typed("Hello\n"))
        let actions = desk.receive(.send(key: "k"))
        #expect(actions.deeds == [.scrollToEnd, .call(Self.call), .saveDraft(DraftKey(Self.view.key), nil)])
        #expect(last(desk) == ["You: Hello [sending]"])
        // Sending again while the message is in flight has no effect.
        #expect(desk.receive(.send(key: "k2")).isEmpty)
    }

    @Test(arguments: [[Self.sent], [Self.sent, Self.arrival], [Self.arrival], [Self.arrival, Self.sent]])
    func `The response and the message entry become one line, in any order`(inputs: [Input]) {
        var desk = sending()
        for input in inputs {
            desk.receive(input)
            #expect(last(desk) == ["You: Hello"])
        }
    }

    @Test func `A message that the service changed is still the same line`() {
        var desk = sending()
        let changed = Desk.message("m", by: "user", "Hello!", at: 1)
        _ = desk.entry(.messageCreated, message: changed)
        desk.receive(Self.sent)
        #expect(last(desk) == ["You: Hello!"])
    }

    @Test func `A queued message is shown as waiting, marks its row and is then shown as sent`() {
        var desk = sending(Self.queued)
        #expect(last(desk) == ["You: Hello [waiting]"])
        #expect(desk.state.row(Self.view.key)?.mark == .queued)
        desk.receive(outbox(item("waiting", error: "no route")))
        #expect(last(desk) == ["You: Hello [waiting: no route]"])
        #expect(desk.state.outbox.map(\.title) == ["App"])
        desk.receive(Self.arrival)
        #expect(last(desk) == ["You: Hello"])
        #expect(desk.state.row(Self.view.key)?.mark == nil)
        #expect(desk.state.outbox.isEmpty)
    }

    @Test func `The same text sent twice is two lines`() {
        var desk = sending(Self.queued)
        desk.receive(.typed("Hello"), .send(key: "k2"))
        #expect(last(desk) == ["You: Hello [waiting]", "You: Hello [sending]"])
        desk.receive(Self.arrival)
        #expect(last(desk) == ["You: Hello", "You: Hello [sending]"])
    }

    @Test func `A refused message can be retried or cancelled`() {
        let fault = NotSent(outboxId: "k", cause: .refused, reason: "too rude")
        var desk = sending(.failed(Self.call, .notSent(fault)))
        #expect(last(desk) == ["You: Hello [failed: too rude]"])
        #expect(desk.state.row(Self.view.key)?.mark == .failed)
        #expect(desk.receive(.retry(outboxId: "k")).calls == [.retry(outboxId: "k")])
        #expect(last(desk) == ["You: Hello [sending]"])
        #expect(desk.receive(.retry(outboxId: "k")).isEmpty)
        desk.receive(.failed(.retry(outboxId: "k"), .notSent(fault)))
        #expect(desk.receive(.cancel(outboxId: "k")).calls == [.cancel(outboxId: "k")])
        desk.receive(.answered(.cancel(outboxId: "k"), .done))
        #expect(last(desk).isEmpty)
        // The text is back in the composer.
        guard case .messages(let head) = desk.state.threadView, case .box(let text, _, _, _) = head.composer
        else { return }
        #expect(text == "Hello")
    }

    @Test func `A message that is retried automatically is not shown as failed`() {
        let fault = NotSent(outboxId: "k", cause: .notAuthorized, reason: "no", waiting: true)
        #expect(last(sending(.failed(Self.call, .notSent(fault)))) == ["You: Hello [waiting: no]"])
    }

    @Test func `If the conversation has ended, the message returns to the composer`() {
        var desk = sending()
        let closed = Closed(conversation: "a", status: "closed")
        let actions = desk.receive(.failed(Self.call, .closed(closed)))
        #expect(actions.contains(.showToast("The conversation has ended.")))
        #expect(actions.contains(.saveDraft(DraftKey(Self.view.key), "Hello")))
        #expect(last(desk).isEmpty)
        guard case .messages(let head) = desk.state.threadView else { return }
        #expect(head.composer == .ended("This conversation is closed."))
    }

    @Test func `A message that the daemon never received is retried with the same key`() {
        var desk = sending(.failed(Self.call, .gone))
        #expect(last(desk) == ["You: Hello [failed: Cuti-E is not running in the background.]"])
        // The daemon's list does not contain this message.
        desk.receive(outbox())
        #expect(last(desk).count == 1)
        #expect(desk.receive(.retry(outboxId: "k")).calls == [Self.call])
        desk.receive(.failed(Self.call, .gone), .cancel(outboxId: "k"))
        #expect(last(desk).isEmpty)
    }

    @Test func `After an unknown result the outbox decides`() {
        var desk = sending(.failed(Self.call, .unknownResult))
        desk.receive(outbox(item("waiting")))
        #expect(last(desk) == ["You: Hello [waiting]"])
        // The message was sent or cancelled elsewhere.
        desk.receive(outbox())
        #expect(last(desk).isEmpty)
    }

    @Test func `A cut outbox list removes no message`() {
        var desk = sending(Self.queued)
        desk.receive(outbox(cut: true))
        #expect(last(desk) == ["You: Hello [waiting]"])
    }

    @Test func `An outdated outbox list does not mark a message in flight as waiting`() {
        var desk = sending()
        desk.receive(outbox(item("waiting", attempts: 0)))
        #expect(last(desk) == ["You: Hello [sending]"])
        desk.receive(outbox())
        #expect(last(desk) == ["You: Hello [sending]"])
    }

    @Test func `Messages of an earlier window are shown`() {
        var desk = Desk.filled([Self.view])
        let fresh = OutboxItem(
            outboxId: "n", account: "default", kind: "conversation", text: "New", state: "failed",
            attempts: 1, error: "no", createdAt: Desk.morning)
        let read = OutboxItem(
            outboxId: "r", account: "default", kind: "read", conversationId: "a", state: "waiting",
            attempts: 1, createdAt: Desk.morning)
        desk.receive(outbox(item("waiting"), fresh, read))
        #expect(desk.state.outbox.map(\.title) == ["App", "New conversation"])
        #expect(desk.state.outbox.map(\.deliveryState) == [.waiting(nil), .failed("no")])
        desk.receive(.choose(Self.view.key))
        desk.receive([], Self.view)
        #expect(desk.lines.map(\.sketch) == ["You: Hello [waiting]"])
    }

    @Test func `A cancelled new conversation fills the next form`() {
        var desk = Desk.filled([])
        let fresh = OutboxItem(
            outboxId: "n", account: "default", kind: "conversation", text: "New", state: "failed",
            attempts: 1, error: "no", createdAt: Desk.morning)
        desk.receive(outbox(fresh), .cancel(outboxId: "n"), .answered(.cancel(outboxId: "n"), .done))
        #expect(desk.state.outbox.isEmpty)
        desk.receive(.form(.open))
        #expect(desk.state.formView?.text == "New")
    }

    @Test(arguments: ["", " \n ", String(repeating: "x", count: 1 << 20 + 1)])
    func `Empty and too long messages are not sent`(text: String) {
        var desk = Desk.looking(at: Self.view, [])
        desk.receive(.typed(text))
        #expect(desk.receive(.send(key: "k")).isEmpty)
        guard case .messages(let head) = desk.state.threadView,
            case .box(_, _, let canSend, let problem) = head.composer
        else { return }
        #expect(!canSend)
        #expect((problem != nil) == (text.utf8.count > 1 << 20))
    }
}
