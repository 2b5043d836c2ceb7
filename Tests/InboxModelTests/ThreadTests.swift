import ControlAPI
import Testing

@testable import InboxModel

/// Tests every state of the thread and its lines.
struct ThreadTests {
    private static let view = Desk.view("a", "App", unread: 0)
    private static func messages(_ range: ClosedRange<Int>) -> [MessageView] {
        range.map { Desk.message("m\($0)", at: Int64($0)) }
    }

    private func head(_ desk: Desk) throws -> ThreadHead {
        guard case .messages(let head) = desk.state.threadView else {
            throw Failed(reason: "\(desk.state.threadView)")
        }
        return head
    }

    @Test func `A chosen thread loads and is shown at its end`() throws {
        var desk = Desk.filled([Self.view])
        #expect(desk.state.threadView == .none)
        #expect(
            desk.receive(.choose(Self.view.key)).calls
                == [.thread(.init(conversation: "a", account: "default", limit: 50))])
        #expect(desk.state.threadView == .loading(title: "App"))
        let actions = desk.receive([Desk.message("1")], Self.view)
        #expect(actions.contains(.scrollToEnd))
        #expect(
            try head(desk)
                == ThreadHead(
                    key: Self.view.key, title: "App", status: "Open", account: nil, app: nil, tags: [],
                    hasEarlier: false, isLoadingEarlier: false, hasLater: false, newBelow: 0, isCut: false,
                    composer: .box(text: "", revision: 1, canSend: false, problem: nil), mode: nil,
                    reader: "", staff: nil))
        desk.receive(.choose(nil))
        #expect(desk.state.threadView == .none)
        #expect(desk.lines.isEmpty)
    }

    @Test(arguments: [
        (CallFailure.notFound(NotFound(what: "conversation", id: "a")), ThreadView.notFound),
        (.ambiguous(Ambiguous(id: "a", accounts: ["x", "y"])), .ambiguous(["x", "y"])),
        (.refused("No."), .failed("No.")), (.gone, .loading(title: nil)),
    ])
    func `A link to an unknown or an ambiguous conversation is reported`(
        failure: CallFailure, shown: ThreadView
    ) {
        var desk = Desk.filled([])
        desk.receive(.open(conversation: "a", account: nil, message: nil))
        let request = ThreadRequest(conversation: "a", account: nil, limit: 50)
        desk.receive(.failed(.thread(request), failure))
        #expect(desk.state.threadView == shown)
    }

    @Test func `If a link fits several accounts, one is chosen`() {
        var desk = Desk.filled([])
        desk.receive(.open(conversation: "a", account: nil, message: nil))
        let request = ThreadRequest(conversation: "a", account: nil, limit: 50)
        desk.receive(.failed(.thread(request), .ambiguous(Ambiguous(id: "a", accounts: ["x", "y"]))))
        #expect(
            desk.receive(.chooseAccount("y")).calls
                == [.thread(.init(conversation: "a", account: "y", limit: 50))])
        desk.receive([], Desk.view("a", account: "y"))
        #expect(desk.state.chosen == Desk.key("a", "y"))
    }

    @Test func `A thread requested while the daemon is away is requested again`() {
        var desk = Desk.filled([])
        desk.receive(.open(conversation: "a", account: nil, message: nil), .gone(.left))
        let call = Call.thread(.init(conversation: "a", account: nil, limit: 50))
        desk.receive(.failed(call, .gone))
        #expect(desk.entry(.snapshot).calls.contains(call))
    }

    @Test func `Days, unread messages, system messages and consecutive senders are shown`() {
        let messages = [
            Desk.message("1", at: -3000), Desk.message("2", by: "user", "Hello", at: -1440),
            Desk.message("3", by: "system", "Ada joined", at: 0), Desk.message("4", at: 1),
            Desk.message("5", at: 2), Desk.message("6", at: 9),
        ]
        let desk = Desk.looking(at: Desk.view("a", unread: 2), messages)
        #expect(
            desk.lines.map(\.sketch) == [
                "— Wednesday", "Ada: 1", "— Yesterday", "You: Hello", "— Today", "* Ada joined", "Ada: 4",
                "— 2 unread messages", "Ada: 5", "Ada: 6",
            ])
        let continued = desk.lines.compactMap { line -> Bool? in
            if case .bubble(let bubble) = line.content { bubble.continues } else { nil }
        }
        #expect(continued == [false, false, false, false, false])
        let together = Desk.looking(at: Self.view, [Desk.message("1"), Desk.message("2", at: 1)])
        #expect(
            together.lines.last.map { if case .bubble(let b) = $0.content { b.continues } else { false } }
                == true)
    }

    @Test func `An internal note does not look like an answer`() throws {
        var note = Desk.message("2", "It is the driver", at: 1)
        note.isInternalNote = true
        let desk = Desk.looking(at: Self.view, [Desk.message("1"), note])
        guard case .bubble(let bubble) = try #require(desk.lines.last).content else {
            Issue.record("no bubble")
            return
        }
        #expect(bubble.isNote && !bubble.continues)
        #expect(bubble.accessibleText.hasPrefix("Internal note, Ada, It is the driver"))
    }

    @Test func `Earlier messages are shown fifty at a time, first those that are loaded`() throws {
        let all = Self.messages(1...130)
        var desk = Desk.looking(at: Self.view, all)
        #expect(desk.lines.count == 51)
        #expect(try head(desk).hasEarlier)
        #expect(
            desk.receive(.earlier).calls == [
                .thread(.init(conversation: "a", account: "default", limit: 500))
            ])
        #expect(try head(desk).isLoadingEarlier)
        // A second request while the first is in flight has no effect.
        #expect(desk.receive(.earlier).calls.isEmpty)
        let actions = desk.receive(all, Self.view)
        #expect(desk.lines.count == 101)
        #expect(!actions.contains(.scrollToEnd))
        #expect(desk.receive(.earlier).calls.isEmpty)
        #expect(desk.lines.count == 131)
        #expect(try !head(desk).hasEarlier)
        #expect(try !head(desk).isCut)
    }

    @Test func `Messages that do not fit into a reply are reported as missing`() throws {
        var desk = Desk.filled([Self.view])
        desk.receive(.choose(Self.view.key))
        desk.receive(Self.messages(1...3), Self.view, cut: true)
        #expect(try head(desk).isCut)
        #expect(try !head(desk).hasEarlier)
    }

    @Test func `New messages below are counted until the end is visible`() throws {
        var desk = Desk.looking(at: Self.view, [Desk.message("1")])
        desk.receive(.scrolled(isAtEnd: false))
        let actions = desk.entry(
            .messageCreated, conversation: Self.view, message: Desk.message("2", at: 1))
        #expect(!actions.contains(.scrollToEnd))
        #expect(try head(desk).newBelow == 1)
        #expect(desk.receive(.toEnd).contains(.scrollToEnd))
        #expect(try head(desk).newBelow == 0)
    }

    @Test func `Far from the end, new messages wait below, and later ones are shown fifty at a time`() throws
    {
        let all = Self.messages(1...400)
        var desk = Desk.filled([Self.view])
        desk.receive(.open(conversation: "a", account: "default", message: "m100"))
        desk.receive(all, Self.view)
        desk.receive(all, Self.view)
        #expect(try head(desk).hasLater)
        #expect(desk.lines.count == 51)
        _ = desk.entry(.messageCreated, message: Desk.message("new", at: 1000))
        #expect(desk.lines.count == 51)
        #expect(try head(desk).newBelow == 1)
        desk.receive(.later)
        #expect(desk.lines.count == 101)
        desk.receive(.toEnd)
        #expect(desk.lines.last?.sketch == "Ada: new")
        #expect(try !head(desk).hasLater)
    }

    @Test func `An ended conversation replaces the composer with a notice and can be reopened`() throws {
        var desk = Desk.looking(at: Desk.view("a", status: "resolved"), [Desk.message("1")])
        #expect(try head(desk).composer == .ended("This conversation is resolved."))
        desk.receive(.reopen, .typed("Still there"))
        let call = desk.receive(.send(key: "k")).calls.first
        #expect(
            call
                == .send(.init(key: "k", conversation: Self.view.key, message: "Still there", reopens: true)))
        var open = Desk.looking(at: Self.view, [])
        _ = open.entry(.conversationUpdated, conversation: Desk.view("a", status: "closed"))
        #expect(try head(open).composer == .ended("This conversation is closed."))
    }

    @Test func `A link to a visible message highlights it`() {
        var desk = Desk.looking(at: Self.view, Self.messages(1...3))
        let actions = desk.receive(.open(conversation: "a", account: nil, message: "m2"))
        #expect(actions.calls.isEmpty)
        #expect(actions.deeds == [.scroll(toLine: "m2"), .present])
        #expect(desk.lines.contains { $0.sketch == "!Ada: m2" })
    }

    @Test func `Each conversation has its own draft`() throws {
        let other = Desk.view("b")
        var desk = Desk.filled([Self.view, other])
        desk.receive(.choose(Self.view.key))
        desk.receive([], Self.view)
        #expect(desk.receive(.typed("Half a")).contains(.saveDraft(DraftKey(Self.view.key), "Half a")))
        desk.receive(.choose(other.key))
        desk.receive([], other)
        guard case .box(let empty, let revision, _, _) = try head(desk).composer else { return }
        #expect(empty.isEmpty)
        desk.receive(.choose(Self.view.key))
        desk.receive([], Self.view)
        guard case .box(let kept, let next, let canSend, _) = try head(desk).composer else { return }
        #expect(kept == "Half a")
        #expect(next > revision)
        #expect(canSend)
    }

    @Test func `In a thread of ten thousand messages an entry costs as much as one line`() {
        let all = (1...10_000).map { Desk.message("m\($0)", at: Int64($0)) }
        var desk = Desk.looking(at: Self.view, all)
        for _ in 0..<3 {
            desk.receive(.earlier)
            desk.receive(all, Self.view)
        }
        var state = desk.state
        let time = ContinuousClock().measure {
            for number in 0..<1000 {
                let entry = Watch.Reply(
                    sequence: 1, type: .messageCreated, at: 0,
                    data: LogDetails(message: Desk.message("n\(number)", at: 20_000 + Int64(number))))
                _ = state.next(.entry(entry), now: Desk.morning)
            }
        }
        #expect(time < .seconds(2))
        #expect(state.lines.last?.id == "n999")
    }

    @Test func `The thread is saved as text`() {
        let desk = Desk.looking(
            at: Self.view, [Desk.message("1", "One\n\ntwo"), Desk.message("2", by: "user", "Three", at: 5)])
        #expect(
            desk.state.threadText == """
                App

                2025-11-21 10:00  Ada
                    One

                    two

                2025-11-21 10:05  You
                    Three

                """)
        #expect(desk.state.text(ofLine: "2") == "Three")
    }
}
