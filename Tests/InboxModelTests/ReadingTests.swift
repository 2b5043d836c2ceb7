import ControlAPI
import Testing

@testable import InboxModel

/// Tests when messages are marked read.
struct ReadingTests {
    @Test func `A conversation marked as unread stays so until it is opened again or a message arrives`() {
        let (first, second) = (Desk.view("a", last: "x"), Desk.view("b", last: "y"))
        var marked = first
        marked.markedUnread = true
        var desk = Desk.filled([first, second])
        desk.receive(.window(isFocused: true, showsThread: true), .choose(first.key))
        desk.receive([Desk.message("1")], first)
        #expect(desk.receive(.markUnread).calls == [.markUnread(first.key)])
        #expect(desk.entry(.conversationUpdated, conversation: marked).calls.isEmpty)
        #expect(desk.state.row(first.key)?.isMarkedUnread == true)
        #expect(desk.receive(.window(isFocused: true, showsThread: true)).calls.isEmpty)
        desk.receive(.choose(second.key), .choose(first.key))
        #expect(desk.receive([Desk.message("1")], marked).calls == [.markRead(first.key, upTo: "1")])
        // The daemon then removes the mark.
        _ = desk.entry(.conversationUpdated, conversation: first)
        desk.receive(.markUnread)
        _ = desk.entry(.conversationUpdated, conversation: marked)
        let next = desk.entry(
            .messageCreated, conversation: marked, message: Desk.message("2", at: 1))
        #expect(next.calls == [.markRead(first.key, upTo: "2")])
    }

    @Test func `Muted conversations are marked, and do not count in the window's title`() {
        var (loud, quiet) = (Desk.view("a", unread: 1, last: "x"), Desk.view("b", unread: 4, last: "y"))
        quiet.muted = true
        var desk = Desk.filled([loud, quiet])
        #expect(desk.state.unread == 1)
        #expect(desk.state.row(quiet.key)?.isMuted == true)
        #expect(desk.state.row(quiet.key)?.accessibleText.contains("muted") == true)
        desk.receive(.choose(loud.key))
        desk.receive([], loud)
        #expect(desk.receive(.mute(true)).calls == [.mute(loud.key, true)])
        loud.muted = true
        _ = desk.entry(.conversationUpdated, conversation: loud)
        #expect(desk.state.unread == 0)
        #expect(desk.receive(.mute(false)).calls == [.mute(loud.key, false)])
    }

    private static let unread = Desk.view("a", unread: 1)

    private func read(_ id: String) -> Call { .markRead(Desk.key("a"), upTo: id) }

    @Test func `A thread in a focused window is marked read once`() {
        var desk = Desk.filled([Self.unread])
        desk.receive(.window(isFocused: true, showsThread: true), .choose(Self.unread.key))
        let actions = desk.receive([Desk.message("1")], Self.unread)
        #expect(actions.suffix(2) == [.attend(Self.unread.key), .call(read("1"))])
        #expect(desk.entry(.conversationRead, conversation: Desk.view("a")).calls.isEmpty)
    }

    @Test(arguments: [(false, true), (true, false)])
    func `A thread in a window without focus, or one that is not visible, is not marked read`(
        isFocused: Bool, showsThread: Bool
    ) {
        var desk = Desk.filled([Self.unread])
        desk.receive(.window(isFocused: isFocused, showsThread: showsThread), .choose(Self.unread.key))
        #expect(desk.receive([Desk.message("1")], Self.unread).deeds == [.scrollToEnd])
        #expect(
            desk.receive(.window(isFocused: true, showsThread: true))
                == [.attend(Self.unread.key), .call(read("1"))])
        #expect(desk.receive(.window(isFocused: false, showsThread: true)) == [.attend(nil)])
    }

    @Test func `A restarted daemon learns again which conversation is open`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")])
        #expect(desk.receive(.gone(.left)).contains(.attend(nil)))
        #expect(desk.entry(.snapshot).contains(.attend(Desk.key("a"))))
    }

    @Test func `A new message is marked read if the end of the thread is visible`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")])
        #expect(
            desk.entry(.messageCreated, conversation: Self.unread, message: Desk.message("2", at: 1)).calls
                == [read("2")])
        desk.receive(.scrolled(isAtEnd: false))
        #expect(
            desk.entry(.messageCreated, conversation: Self.unread, message: Desk.message("3", at: 2)).calls
                .isEmpty)
        #expect(desk.receive(.scrolled(isAtEnd: true)).calls == [read("3")])
    }

    @Test func `Messages that arrive without focus are below a separator`() {
        var desk = Desk.looking(at: Desk.view("a"), [Desk.message("1")], isFocused: false)
        for number in 2...3 {
            _ = desk.entry(
                .messageCreated, conversation: Self.unread,
                message: Desk.message("\(number)", at: Int64(number)))
        }
        #expect(desk.lines.map(\.sketch) == ["— Today", "Ada: 1", "— 2 unread messages", "Ada: 2", "Ada: 3"])
        desk.receive(.window(isFocused: true, showsThread: true))
        // The separator stays until the next one or until the user answers.
        #expect(desk.lines.count == 5)
        _ = desk.entry(.messageCreated, conversation: Self.unread, message: Desk.message("4", at: 4))
        #expect(desk.lines.last?.sketch == "Ada: 4")
        desk.receive(.window(isFocused: false, showsThread: true))
        _ = desk.entry(.messageCreated, conversation: Self.unread, message: Desk.message("5", at: 5))
        #expect(desk.lines.suffix(2).map(\.sketch) == ["— 1 unread message", "Ada: 5"])
        desk.receive(.typed("Ah"), .send(key: "k"))
        #expect(!desk.lines.contains { $0.id == "unread" })
    }

    @Test func `If the unread messages do not fit, the thread scrolls to the first one`() {
        let messages = (1...20).map { Desk.message("\($0)", at: Int64($0)) }
        let view = Desk.view("a", unread: 12)
        var desk = Desk.filled([view])
        desk.receive(.choose(view.key))
        #expect(desk.receive(messages, view).deeds == [.scroll(toLine: "unread")])
    }

    @Test func `Nothing is marked read while the daemon is away`() {
        var desk = Desk.filled([Self.unread])
        desk.receive(.choose(Self.unread.key))
        desk.receive([Desk.message("1")], Self.unread)
        desk.receive(.gone(.left))
        #expect(desk.receive(.window(isFocused: true, showsThread: true)).calls.isEmpty)
        #expect(desk.entry(.snapshot).calls.contains(read("1")))
    }
}
