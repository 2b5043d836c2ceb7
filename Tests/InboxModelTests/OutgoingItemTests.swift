import ControlAPI
import Testing

@testable import InboxModel

/// Tests that a sent message is shown as exactly one line, in whichever order the response, the event and the
/// outbox arrive.
struct OutgoingItemTests {
    private static let view = InboxFixture.view("a", "App")
    private static let call = Call.send(
        .init(key: "k", conversation: view.key, message: "Hello", reopens: false))
    private static let own = InboxFixture.message("m", by: "user", "Hello", at: 1)

    /// Returns a window in which the user has just sent "Hello".
    private func sending(_ inputs: Input...) -> InboxFixture {
        var fixture = InboxFixture.looking(at: Self.view, [InboxFixture.message("1")])
        fixture.receive(.editDraft("Hello\n"), .send(key: "k"))
        for input in inputs { fixture.receive(input) }
        return fixture
    }

    private func item(_ state: String, error: String? = nil, attempts: Int = 1) -> OutboxItem {
        OutboxItem(
            outboxId: "k", account: "default", kind: "message", conversationId: "a", text: "Hello",
            state: state, attempts: attempts, error: error, createdAt: InboxFixture.morning)
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

    private func last(_ fixture: InboxFixture) -> [String] { fixture.lines.dropFirst(2).map(\.sketch) }

    @Test func `A sent message is shown immediately, and the composer is cleared`() {
        var fixture = InboxFixture.looking(at: Self.view, [InboxFixture.message("1")])
        fixture.receive(.editDraft("Hello\n"))
        let actions = fixture.receive(.send(key: "k"))
        #expect(
            actions.sideEffects == [.scrollToEnd, .call(Self.call), .saveDraft(DraftKey(Self.view.key), nil)])
        #expect(last(fixture) == ["You: Hello [sending]"])
        // A second attempt to send while the message is in flight must have no effect.
        #expect(fixture.receive(.send(key: "k2")).isEmpty)
    }

    @Test(arguments: [[Self.sent], [Self.sent, Self.arrival], [Self.arrival], [Self.arrival, Self.sent]])
    func `The response to a sent message and its event produce a single line, whichever arrives first`(
        inputs: [Input]
    ) {
        var fixture = sending()
        for input in inputs {
            fixture.receive(input)
            #expect(last(fixture) == ["You: Hello"])
        }
    }

    @Test func `A sent message whose text the server changed is shown as one line`() {
        var fixture = sending()
        let changed = InboxFixture.message("m", by: "user", "Hello!", at: 1)
        _ = fixture.entry(.messageCreated, message: changed)
        fixture.receive(Self.sent)
        #expect(last(fixture) == ["You: Hello!"])
    }

    @Test func `A queued message and its conversation's row are shown as waiting until the message is sent`()
    {
        var fixture = sending(Self.queued)
        #expect(last(fixture) == ["You: Hello [waiting]"])
        #expect(fixture.state.row(for: Self.view.key)?.mark == .queued)
        fixture.receive(outbox(item("waiting", error: "no route")))
        #expect(last(fixture) == ["You: Hello [waiting: no route]"])
        #expect(fixture.state.outbox.map(\.title) == ["App"])
        fixture.receive(Self.arrival)
        #expect(last(fixture) == ["You: Hello"])
        #expect(fixture.state.row(for: Self.view.key)?.mark == nil)
        #expect(fixture.state.outbox.isEmpty)
    }

    @Test func `Two sent messages with the same text are shown as two lines`() {
        var fixture = sending(Self.queued)
        fixture.receive(.editDraft("Hello"), .send(key: "k2"))
        #expect(last(fixture) == ["You: Hello [waiting]", "You: Hello [sending]"])
        fixture.receive(Self.arrival)
        #expect(last(fixture) == ["You: Hello", "You: Hello [sending]"])
    }

    @Test func `A refused message can be retried or cancelled`() {
        let fault = NotSent(outboxId: "k", cause: .refused, reason: "too rude")
        var fixture = sending(.failed(Self.call, .notSent(fault)))
        #expect(last(fixture) == ["You: Hello [failed: too rude]"])
        #expect(fixture.state.row(for: Self.view.key)?.mark == .failed)
        #expect(fixture.receive(.retry(outboxId: "k")).calls == [.retry(outboxId: "k")])
        #expect(last(fixture) == ["You: Hello [sending]"])
        #expect(fixture.receive(.retry(outboxId: "k")).isEmpty)
        fixture.receive(.failed(.retry(outboxId: "k"), .notSent(fault)))
        #expect(fixture.receive(.cancel(outboxId: "k")).calls == [.cancel(outboxId: "k")])
        fixture.receive(.answered(.cancel(outboxId: "k"), .done))
        #expect(last(fixture).isEmpty)
        // The composer contains the text of the refused message again.
        guard case .messages(let head) = fixture.state.threadView,
            case .box(let text, _, _, _) = head.composer
        else { return }
        #expect(text == "Hello")
    }

    @Test func `A message that is retried automatically is not shown as failed`() {
        let fault = NotSent(outboxId: "k", cause: .notAuthorized, reason: "no", waiting: true)
        #expect(last(sending(.failed(Self.call, .notSent(fault)))) == ["You: Hello [waiting: no]"])
    }

    @Test func `The text of an unsent message is returned to the composer if the conversation has ended`() {
        var fixture = sending()
        let closed = Closed(conversation: "a", status: "closed")
        let actions = fixture.receive(.failed(Self.call, .closed(closed)))
        #expect(
            actions.contains(
                .showToast("This conversation is closed. Reopen the conversation to send a message.")))
        #expect(actions.contains(.saveDraft(DraftKey(Self.view.key), "Hello")))
        #expect(last(fixture).isEmpty)
        guard case .messages(let head) = fixture.state.threadView else { return }
        #expect(head.composer == .ended("This conversation is closed."))
    }

    @Test func `A message that never reached the daemon is retried with the same idempotency key`() {
        var fixture = sending(.failed(Self.call, .unreachable))
        #expect(
            last(fixture) == [
                "You: Hello [failed: Cuti-E is not running in the background. Start Cuti-E, then try again.]"
            ])
        // The outbox of the daemon does not contain this message, but the line must not disappear.
        fixture.receive(outbox())
        #expect(last(fixture).count == 1)
        #expect(fixture.receive(.retry(outboxId: "k")).calls == [Self.call])
        fixture.receive(.failed(Self.call, .unreachable), .cancel(outboxId: "k"))
        #expect(last(fixture).isEmpty)
    }

    @Test
    func `If the result of sending a message is unknown, the next outbox list shows whether it was sent`() {
        var fixture = sending(.failed(Self.call, .unknownResult))
        fixture.receive(outbox(item("waiting")))
        #expect(last(fixture) == ["You: Hello [waiting]"])
        // If the outbox does not contain the message, the message was sent, or another program cancelled it.
        fixture.receive(outbox())
        #expect(last(fixture).isEmpty)
    }

    @Test func `Messages that are missing from a truncated outbox list are not removed`() {
        var fixture = sending(Self.queued)
        fixture.receive(outbox(cut: true))
        #expect(last(fixture) == ["You: Hello [waiting]"])
    }

    @Test func `An outdated outbox list does not mark a message in flight as waiting`() {
        var fixture = sending()
        fixture.receive(outbox(item("waiting", attempts: 0)))
        #expect(last(fixture) == ["You: Hello [sending]"])
        fixture.receive(outbox())
        #expect(last(fixture) == ["You: Hello [sending]"])
    }

    @Test func `Messages that an earlier run of the window left unsent are shown`() {
        var fixture = InboxFixture.filled([Self.view])
        let fresh = OutboxItem(
            outboxId: "n", account: "default", kind: "conversation", text: "New", state: "failed",
            attempts: 1, error: "no", createdAt: InboxFixture.morning)
        let read = OutboxItem(
            outboxId: "r", account: "default", kind: "read", conversationId: "a", state: "waiting",
            attempts: 1, createdAt: InboxFixture.morning)
        fixture.receive(outbox(item("waiting"), fresh, read))
        #expect(fixture.state.outbox.map(\.title) == ["App", "New conversation"])
        #expect(fixture.state.outbox.map(\.deliveryState) == [.waiting(nil), .failed("no")])
        fixture.receive(.choose(Self.view.key))
        fixture.receive([], Self.view)
        #expect(fixture.lines.map(\.sketch) == ["You: Hello [waiting]"])
    }

    @Test func `After a queued conversation is cancelled, the next form contains its text`() {
        var fixture = InboxFixture.filled([])
        let fresh = OutboxItem(
            outboxId: "n", account: "default", kind: "conversation", text: "New", state: "failed",
            attempts: 1, error: "no", createdAt: InboxFixture.morning)
        fixture.receive(outbox(fresh), .cancel(outboxId: "n"), .answered(.cancel(outboxId: "n"), .done))
        #expect(fixture.state.outbox.isEmpty)
        fixture.receive(.form(.open))
        #expect(fixture.state.formView?.text == "New")
    }

    @Test(arguments: ["", " \n ", String(repeating: "x", count: 1 << 20 + 1)])
    func `A message that is empty or too long is not sent`(text: String) {
        var fixture = InboxFixture.looking(at: Self.view, [])
        fixture.receive(.editDraft(text))
        #expect(fixture.receive(.send(key: "k")).isEmpty)
        guard case .messages(let head) = fixture.state.threadView,
            case .box(_, _, let canSend, let problem) = head.composer
        else { return }
        #expect(!canSend)
        #expect((problem != nil) == (text.utf8.count > 1 << 20))
    }
}
