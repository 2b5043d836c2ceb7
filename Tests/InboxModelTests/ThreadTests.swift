import ControlAPI
import TestSupport
import Testing

@testable import InboxModel

/// Tests of the thread and its lines in each of their states.
struct ThreadTests {
    private static let view = InboxFixture.view("a", "App", unread: 0)
    private static func messages(_ range: ClosedRange<Int>) -> [MessageView] {
        range.map { InboxFixture.message("m\($0)", at: Int64($0)) }
    }

    private func details(_ fixture: InboxFixture) throws -> ThreadDetails {
        guard case .messages(let details) = fixture.state.threadView else {
            throw Failed(reason: "\(fixture.state.threadView)")
        }
        return details
    }

    @Test func `Messages are requested again if the conversation changed during the first request`() {
        let view = InboxFixture.view("a", unread: 1)
        var fixture = InboxFixture.filled([view])
        fixture.receive(.choose(view.key))
        _ = fixture.entry(.messageCreated, conversation: view, message: InboxFixture.message("2", at: 1))
        let request = ThreadRequest(conversation: "a", account: "default", limit: 50)
        #expect(fixture.receive([InboxFixture.message("1")], view).calls == [.thread(request)])
        let both = [InboxFixture.message("1"), InboxFixture.message("2", at: 1)]
        #expect(fixture.receive(both, view).calls.isEmpty)
        #expect(fixture.lines.last?.sketch == "Ada: 2")
    }

    @Test func `A selected conversation is loaded and shown at its end`() throws {
        var fixture = InboxFixture.filled([Self.view])
        #expect(fixture.state.threadView == .none)
        #expect(
            fixture.receive(.choose(Self.view.key)).calls
                == [.thread(.init(conversation: "a", account: "default", limit: 50))])
        #expect(fixture.state.threadView == .loading(title: "App"))
        let actions = fixture.receive([InboxFixture.message("1")], Self.view)
        #expect(actions.contains(.scrollToEnd))
        #expect(
            try details(fixture)
                == ThreadDetails(
                    key: Self.view.key, title: "App", status: "Open", account: nil, app: nil, tags: [],
                    hasEarlier: false, isLoadingEarlier: false, hasLater: false, newMessagesBelow: 0,
                    isTruncated: false,
                    composer: .box(text: "", revision: 1, canSend: false, problem: nil), mode: nil,
                    recipient: "", staff: nil))
        fixture.receive(.choose(nil))
        #expect(fixture.state.threadView == .none)
        #expect(fixture.lines.isEmpty)
    }

    @Test(
        arguments: [
            ("Sandbox", "Sandbox", nil), ("Sandbox", "Sandbox (work)", nil), ("Notes", "Sandbox", "Notes"),
            ("Sand", "Sandbox", "Sand"),
        ] as [(String, String, String?)])
    func `The header names the app only if the title of the account does not contain the name`(
        app: String, title: String, shown: String?
    ) throws {
        var view = InboxFixture.view("a", account: "work")
        view.appName = app
        var work = InboxFixture.account("work")
        work.title = title
        var fixture = InboxFixture.filled(
            [view], status: InboxFixture.status([InboxFixture.account(), work]))
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(view.key))
        fixture.receive([InboxFixture.message("1", account: "work")], view)
        #expect(try details(fixture).account == title)
        #expect(try details(fixture).app == shown)
    }

    @Test(arguments: [
        (CallFailure.notFound(NotFound(what: "conversation", id: "a")), ThreadView.notFound),
        (.ambiguous(Ambiguous(id: "a", accounts: ["x", "y"])), .ambiguous(["x", "y"])),
        (.refused("No."), .failed("No.")), (.unreachable, .loading(title: nil)),
    ])
    func `A link causes an error message if its conversation is unknown or ambiguous`(
        failure: CallFailure, shown: ThreadView
    ) {
        var fixture = InboxFixture.filled([])
        fixture.receive(.open(conversation: "a", account: nil, message: nil))
        let request = ThreadRequest(conversation: "a", account: nil, limit: 50)
        fixture.receive(.failed(.thread(request), failure))
        #expect(fixture.state.threadView == shown)
    }

    @Test func `A conversation that arrives after its link was opened replaces the error message`() {
        let request = ThreadRequest(conversation: "a", account: nil, limit: 50)
        var missing = InboxFixture.filled([])
        missing.receive(
            .open(conversation: "a", account: nil, message: nil),
            .failed(.thread(request), .notFound(NotFound(what: "conversation", id: "a"))))
        _ = missing.entry(.conversationUpdated, conversation: InboxFixture.view("b"))
        #expect(missing.state.threadView == .notFound)
        var listed = missing
        let view = InboxFixture.view("a")
        let calls = missing.entry(.conversationUpdated, conversation: view).calls
        #expect(calls == [.thread(request)])
        missing.receive([], view)
        #expect(missing.state.chosen == view.key)
        let reply = ListConversations.Reply(conversations: [view], badge: BadgeView())
        #expect(listed.receive(.answered(.list, .list(reply))).calls == [.thread(request)])
    }

    @Test func `If a link matches conversations of several accounts, the user chooses the account`() {
        var fixture = InboxFixture.filled([])
        fixture.receive(.open(conversation: "a", account: nil, message: nil))
        let request = ThreadRequest(conversation: "a", account: nil, limit: 50)
        fixture.receive(.failed(.thread(request), .ambiguous(Ambiguous(id: "a", accounts: ["x", "y"]))))
        #expect(
            fixture.receive(.chooseAccount("y")).calls
                == [.thread(.init(conversation: "a", account: "y", limit: 50))])
        fixture.receive([], InboxFixture.view("a", account: "y"))
        #expect(fixture.state.chosen == InboxFixture.key("a", "y"))
    }

    @Test func `A conversation selected while the daemon is not running is requested again later`() {
        var fixture = InboxFixture.filled([])
        fixture.receive(.open(conversation: "a", account: nil, message: nil), .disconnected(.left))
        let call = Call.thread(.init(conversation: "a", account: nil, limit: 50))
        fixture.receive(.failed(call, .unreachable))
        #expect(fixture.entry(.snapshot).calls.contains(call))
    }

    @Test
    func `The thread marks days, unread messages, system messages and consecutive messages of one sender`() {
        let messages = [
            InboxFixture.message("1", at: -3000), InboxFixture.message("2", by: "user", "Hello", at: -1440),
            InboxFixture.message("3", by: "system", "Ada joined", at: 0), InboxFixture.message("4", at: 1),
            InboxFixture.message("5", at: 2), InboxFixture.message("6", at: 9),
        ]
        let fixture = InboxFixture.looking(at: InboxFixture.view("a", unread: 2), messages)
        #expect(
            fixture.lines.map(\.sketch) == [
                "— Wednesday", "Ada: 1", "— Yesterday", "You: Hello", "— Today", "* Ada joined", "Ada: 4",
                "— 2 unread messages", "Ada: 5", "Ada: 6",
            ])
        let continued = fixture.lines.compactMap { line -> Bool? in
            if case .bubble(let bubble) = line.content { bubble.continues } else { nil }
        }
        #expect(continued == [false, false, false, false, false])
        let together = InboxFixture.looking(
            at: Self.view, [InboxFixture.message("1"), InboxFixture.message("2", at: 1)])
        #expect(
            together.lines.last.map { if case .bubble(let b) = $0.content { b.continues } else { false } }
                == true)
    }

    @Test func `An internal note looks different from a reply`() throws {
        var note = InboxFixture.message("2", "It is the driver", at: 1)
        note.isInternalNote = true
        let fixture = InboxFixture.looking(at: Self.view, [InboxFixture.message("1"), note])
        guard case .bubble(let bubble) = try #require(fixture.lines.last).content else {
            Issue.record("no bubble")
            return
        }
        #expect(bubble.isNote && !bubble.continues)
        #expect(bubble.accessibleText.hasPrefix("Internal note, Ada, It is the driver"))
    }

    @Test
    func `Earlier messages are shown in steps of fifty, starting with messages that are already loaded`()
        throws
    {
        let all = Self.messages(1...130)
        var fixture = InboxFixture.looking(at: Self.view, all)
        #expect(fixture.lines.count == 51)
        #expect(try details(fixture).hasEarlier)
        #expect(
            fixture.receive(.showEarlier).calls == [
                .thread(.init(conversation: "a", account: "default", limit: 500))
            ])
        #expect(try details(fixture).isLoadingEarlier)
        // A second request while the first is in flight must have no effect.
        #expect(fixture.receive(.showEarlier).calls.isEmpty)
        let actions = fixture.receive(all, Self.view)
        #expect(fixture.lines.count == 101)
        #expect(!actions.contains(.scrollToEnd))
        #expect(fixture.receive(.showEarlier).calls.isEmpty)
        #expect(fixture.lines.count == 131)
        #expect(try !details(fixture).hasEarlier)
        #expect(try !details(fixture).isTruncated)
    }

    @Test func `A conversation that does not fit into a Varlink reply is shown as incomplete`() throws {
        var fixture = InboxFixture.filled([Self.view])
        fixture.receive(.choose(Self.view.key))
        fixture.receive(Self.messages(1...3), Self.view, cut: true)
        #expect(try details(fixture).isTruncated)
        #expect(try !details(fixture).hasEarlier)
    }

    @Test func `New messages below the visible part are counted until the end of the thread is visible`()
        throws
    {
        var fixture = InboxFixture.looking(at: Self.view, [InboxFixture.message("1")])
        fixture.receive(.scrolled(isAtEnd: false))
        let actions = fixture.entry(
            .messageCreated, conversation: Self.view, message: InboxFixture.message("2", at: 1))
        #expect(!actions.contains(.scrollToEnd))
        #expect(try details(fixture).newMessagesBelow == 1)
        #expect(fixture.receive(.showEnd).contains(.scrollToEnd))
        #expect(try details(fixture).newMessagesBelow == 0)
    }

    @Test
    func
        `While older messages are shown, a new message is counted but not shown until the user goes to the end`()
        throws
    {
        let all = Self.messages(1...400)
        var fixture = InboxFixture.filled([Self.view])
        fixture.receive(.open(conversation: "a", account: "default", message: "m100"))
        fixture.receive(all, Self.view)
        fixture.receive(all, Self.view)
        #expect(try details(fixture).hasLater)
        #expect(fixture.lines.count == 51)
        _ = fixture.entry(.messageCreated, message: InboxFixture.message("new", at: 1000))
        #expect(fixture.lines.count == 51)
        #expect(try details(fixture).newMessagesBelow == 1)
        fixture.receive(.showLater)
        #expect(fixture.lines.count == 101)
        fixture.receive(.showEnd)
        #expect(fixture.lines.last?.sketch == "Ada: new")
        #expect(try !details(fixture).hasLater)
    }

    @Test
    func `In an ended conversation, a notice replaces the composer and offers to reopen the conversation`()
        throws
    {
        var fixture = InboxFixture.looking(
            at: InboxFixture.view("a", status: "resolved"), [InboxFixture.message("1")])
        #expect(try details(fixture).composer == .ended("This conversation is resolved."))
        fixture.receive(.reopen, .editDraft("Still there"))
        let call = fixture.receive(.send(key: "k")).calls.first
        #expect(
            call
                == .send(.init(key: "k", conversation: Self.view.key, message: "Still there", reopens: true)))
        var open = InboxFixture.looking(at: Self.view, [])
        _ = open.entry(.conversationUpdated, conversation: InboxFixture.view("a", status: "closed"))
        #expect(try details(open).composer == .ended("This conversation is closed."))
    }

    @Test func `A link to a loaded message scrolls to it and highlights it`() {
        var fixture = InboxFixture.looking(at: Self.view, Self.messages(1...3))
        let actions = fixture.receive(.open(conversation: "a", account: nil, message: "m2"))
        #expect(actions.calls.isEmpty)
        #expect(actions.sideEffects == [.scroll(toLine: "m2"), .presentWindow])
        #expect(fixture.lines.contains { $0.sketch == "!Ada: m2" })
    }

    @Test func `Each conversation has its own draft of a reply`() throws {
        let other = InboxFixture.view("b")
        var fixture = InboxFixture.filled([Self.view, other])
        fixture.receive(.choose(Self.view.key))
        fixture.receive([], Self.view)
        #expect(fixture.receive(.editDraft("Half a")).contains(.saveDraft(DraftKey(Self.view.key), "Half a")))
        fixture.receive(.choose(other.key))
        fixture.receive([], other)
        guard case .box(let empty, let revision, _, _) = try details(fixture).composer else { return }
        #expect(empty.isEmpty)
        fixture.receive(.choose(Self.view.key))
        fixture.receive([], Self.view)
        guard case .box(let kept, let next, let canSend, _) = try details(fixture).composer else { return }
        #expect(kept == "Half a")
        #expect(next > revision)
        #expect(canSend)
    }

    @Test func `With ten thousand messages, a thousand events use less than two seconds of processor time`() {
        let all = (1...10_000).map { InboxFixture.message("m\($0)", at: Int64($0)) }
        var fixture = InboxFixture.looking(at: Self.view, all)
        for _ in 0..<3 {
            fixture.receive(.showEarlier)
            fixture.receive(all, Self.view)
        }
        var state = fixture.state
        let time = cpuTime {
            for number in 0..<1000 {
                let entry = Watch.Reply(
                    sequence: 1, type: .messageCreated, at: 0,
                    data: LogDetails(message: InboxFixture.message("n\(number)", at: 20_000 + Int64(number))))
                _ = state.handle(.entry(entry), now: InboxFixture.morning)
            }
        }
        #expect(time < .seconds(2))
        #expect(state.lines.last?.id == "n999")
    }

    @Test func `A conversation can be saved as text`() {
        let fixture = InboxFixture.looking(
            at: Self.view,
            [InboxFixture.message("1", "One\n\ntwo"), InboxFixture.message("2", by: "user", "Three", at: 5)])
        #expect(
            fixture.state.threadText == """
                App

                2025-11-21 10:00  Ada
                    One

                    two

                2025-11-21 10:05  You
                    Three

                """)
        #expect(fixture.state.text(ofLine: "2") == "Three")
    }
}
