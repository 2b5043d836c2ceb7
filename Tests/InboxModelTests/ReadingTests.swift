import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the conditions under which messages are marked read.
struct ReadingTests {
    @Test func `A conversation marked unread stays unread until it is opened again or a message arrives`() {
        let (first, second) = (InboxFixture.view("a", last: "x"), InboxFixture.view("b", last: "y"))
        var marked = first
        marked.markedUnread = true
        var fixture = InboxFixture.filled([first, second])
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(first.key))
        fixture.receive([InboxFixture.message("1")], first)
        #expect(fixture.receive(.markUnread).calls == [.markUnread(first.key)])
        #expect(fixture.entry(.conversationUpdated, conversation: marked).calls.isEmpty)
        #expect(fixture.state.row(for: first.key)?.isMarkedUnread == true)
        #expect(fixture.receive(.window(isFocused: true, showsThread: true)).calls.isEmpty)
        fixture.receive(.choose(second.key), .choose(first.key))
        #expect(
            fixture.receive([InboxFixture.message("1")], marked).calls == [.markRead(first.key, upTo: "1")])
        // Simulates the removal of the unread mark by the daemon.
        _ = fixture.entry(.conversationUpdated, conversation: first)
        fixture.receive(.markUnread)
        _ = fixture.entry(.conversationUpdated, conversation: marked)
        let next = fixture.entry(
            .messageCreated, conversation: marked, message: InboxFixture.message("2", at: 1))
        #expect(next.calls == [.markRead(first.key, upTo: "2")])
    }

    @Test func `Muted conversations have a mark and are not counted in the window's title`() {
        var (loud, quiet) = (
            InboxFixture.view("a", unread: 1, last: "x"), InboxFixture.view("b", unread: 4, last: "y")
        )
        quiet.muted = true
        var fixture = InboxFixture.filled([loud, quiet])
        #expect(fixture.state.unread == 1)
        #expect(fixture.state.row(for: quiet.key)?.isMuted == true)
        #expect(fixture.state.row(for: quiet.key)?.accessibleText.contains("muted") == true)
        fixture.receive(.choose(loud.key))
        fixture.receive([], loud)
        #expect(fixture.receive(.mute(true)).calls == [.mute(loud.key, true)])
        loud.muted = true
        _ = fixture.entry(.conversationUpdated, conversation: loud)
        #expect(fixture.state.unread == 0)
        #expect(fixture.receive(.mute(false)).calls == [.mute(loud.key, false)])
    }

    @Test
    func `A snooze lasts one hour, until morning or until Monday, and the row shows when it ends`() {
        var view = InboxFixture.view("a", last: "x")
        var fixture = InboxFixture.filled([view])
        fixture.receive(.choose(view.key))
        fixture.receive([], view)
        for length in SnoozeLength.allCases {
            guard case .snooze(view.key, let until?) = fixture.receive(.snooze(length)).calls.first else {
                Issue.record("no call for \(length)")
                continue
            }
            let moment = fixture.state.calendar.dateFields(at: until)
            switch length {
            case .hour: #expect(until - fixture.now == 3_600_000)
            case .tomorrow:
                #expect(moment.dayNumber == fixture.state.calendar.dateFields(at: fixture.now).dayNumber + 1)
                #expect(moment.hour == 8 && moment.minute == 0)
            case .nextWeek: #expect(moment.weekday == 0 && moment.hour == 8 && until > fixture.now)
            }
            view.snoozedUntil = until
            _ = fixture.entry(.conversationUpdated, conversation: view)
            #expect(fixture.state.row(for: view.key)?.accessibleText.contains("Snoozed until ") == true)
        }
        #expect(fixture.receive(.snooze(nil)).calls == [.snooze(view.key, until: nil)])
    }

    @Test func `Rows show styled text without its delimiters`() {
        let fixture = InboxFixture.filled([InboxFixture.view("a", last: "**Thanks**, see `a*b` and 2**3**4")])
        #expect(fixture.state.row(for: InboxFixture.key("a"))?.lastMessage == "Thanks, see a*b and 2**3**4")
    }

    private static let unread = InboxFixture.view("a", unread: 1)

    private func read(_ id: String) -> Call { .markRead(InboxFixture.key("a"), upTo: id) }

    @Test func `A conversation that is visible in a focused window is marked read once`() {
        var fixture = InboxFixture.filled([Self.unread])
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(Self.unread.key))
        let actions = fixture.receive([InboxFixture.message("1")], Self.unread)
        #expect(actions.suffix(2) == [.attend(Self.unread.key), .call(read("1"))])
        #expect(fixture.entry(.conversationRead, conversation: InboxFixture.view("a")).calls.isEmpty)
    }

    @Test func `A failed attempt to mark a conversation read is repeated after an event or a focus change`() {
        var fixture = InboxFixture.looking(at: Self.unread, [InboxFixture.message("1")])
        // The failure itself must not cause another attempt.
        #expect(fixture.receive(.failed(read("1"), .unreachable)).calls.isEmpty)
        #expect(fixture.entry(.badge).calls == [read("1")])
        fixture.receive(.failed(read("1"), .unreachable))
        #expect(fixture.receive(.window(isFocused: false, showsThread: true)).calls.isEmpty)
        #expect(fixture.receive(.window(isFocused: true, showsThread: true)).calls == [read("1")])
        fixture.receive(.answered(read("1"), .done))
        #expect(fixture.entry(.badge).calls.isEmpty)
    }

    @Test func `A late failure to mark a conversation read does not affect another conversation`() {
        let other = InboxFixture.view("b", unread: 1)
        var fixture = InboxFixture.filled([Self.unread, other])
        fixture.receive(.window(isFocused: true, showsThread: true), .choose(Self.unread.key))
        fixture.receive([InboxFixture.message("1")], Self.unread)
        fixture.receive(.choose(other.key))
        fixture.receive([InboxFixture.message("1", in: "b")], other)
        fixture.receive(.failed(read("1"), .unreachable))
        #expect(fixture.entry(.badge).calls.isEmpty)
    }

    @Test(arguments: [(false, true), (true, false)])
    func `A conversation is not marked read while the window has no focus or does not show the thread`(
        isFocused: Bool, showsThread: Bool
    ) {
        var fixture = InboxFixture.filled([Self.unread])
        fixture.receive(.window(isFocused: isFocused, showsThread: showsThread), .choose(Self.unread.key))
        #expect(fixture.receive([InboxFixture.message("1")], Self.unread).sideEffects == [.scrollToEnd])
        #expect(
            fixture.receive(.window(isFocused: true, showsThread: true))
                == [.attend(Self.unread.key), .call(read("1"))])
        #expect(fixture.receive(.window(isFocused: false, showsThread: true)) == [.attend(nil)])
    }

    @Test func `After a restart of the daemon, the window reports the open conversation to the daemon`() {
        var fixture = InboxFixture.looking(at: InboxFixture.view("a"), [InboxFixture.message("1")])
        #expect(fixture.receive(.disconnected(.left)).contains(.attend(nil)))
        #expect(fixture.entry(.snapshot).contains(.attend(InboxFixture.key("a"))))
    }

    @Test func `A new message is marked read only if the end of the thread is visible`() {
        var fixture = InboxFixture.looking(at: InboxFixture.view("a"), [InboxFixture.message("1")])
        #expect(
            fixture.entry(
                .messageCreated, conversation: Self.unread, message: InboxFixture.message("2", at: 1)
            ).calls
                == [read("2")])
        fixture.receive(.scrolled(isAtEnd: false))
        #expect(
            fixture.entry(
                .messageCreated, conversation: Self.unread, message: InboxFixture.message("3", at: 2)
            ).calls
                .isEmpty)
        #expect(fixture.receive(.scrolled(isAtEnd: true)).calls == [read("3")])
    }

    @Test func `A separator line is shown before messages that arrive while the window has no focus`() {
        var fixture = InboxFixture.looking(
            at: InboxFixture.view("a"), [InboxFixture.message("1")], isFocused: false)
        for number in 2...3 {
            _ = fixture.entry(
                .messageCreated, conversation: Self.unread,
                message: InboxFixture.message("\(number)", at: Int64(number)))
        }
        #expect(
            fixture.lines.map(\.sketch) == ["— Today", "Ada: 1", "— 2 unread messages", "Ada: 2", "Ada: 3"])
        fixture.receive(.window(isFocused: true, showsThread: true))
        // The separator remains until the next separator, or until the user replies.
        #expect(fixture.lines.count == 5)
        _ = fixture.entry(
            .messageCreated, conversation: Self.unread, message: InboxFixture.message("4", at: 4))
        #expect(fixture.lines.last?.sketch == "Ada: 4")
        fixture.receive(.window(isFocused: false, showsThread: true))
        _ = fixture.entry(
            .messageCreated, conversation: Self.unread, message: InboxFixture.message("5", at: 5))
        #expect(fixture.lines.suffix(2).map(\.sketch) == ["— 1 unread message", "Ada: 5"])
        fixture.receive(.editDraft("Ah"), .send(key: "k"))
        #expect(!fixture.lines.contains { $0.id == "unread" })
    }

    @Test
    func `If the unread messages do not fit into the window, the thread scrolls to the first unread message`()
    {
        let messages = (1...20).map { InboxFixture.message("\($0)", at: Int64($0)) }
        let view = InboxFixture.view("a", unread: 12)
        var fixture = InboxFixture.filled([view])
        fixture.receive(.choose(view.key))
        #expect(fixture.receive(messages, view).sideEffects == [.scroll(toLine: "unread")])
    }

    @Test func `No message is marked read while the daemon is not running`() {
        var fixture = InboxFixture.filled([Self.unread])
        fixture.receive(.choose(Self.unread.key))
        fixture.receive([InboxFixture.message("1")], Self.unread)
        fixture.receive(.disconnected(.left))
        #expect(fixture.receive(.window(isFocused: true, showsThread: true)).calls.isEmpty)
        #expect(fixture.entry(.snapshot).calls.contains(read("1")))
    }
}
