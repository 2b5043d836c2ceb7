import ControlAPI
import Testing

@testable import InboxModel

/// Tests every state of the list and its rows.
struct ListTests {
    @Test func `The list loads once and is updated by log entries`() {
        var desk = Desk()
        #expect(desk.state.listView == .loading)
        #expect(desk.entry(.snapshot).calls == [.status, .questions, .outbox, .list])
        desk = .filled([Desk.view("a"), Desk.view("b", at: 1)])
        #expect(desk.state.listView == .conversations(count: 2, isCut: false))
        #expect(desk.rows.map(\.conversation) == ["b", "a"])
        let actions = desk.entry(.conversationUpdated, conversation: Desk.view("a", at: 2))
        #expect(desk.rows.map(\.conversation) == ["a", "b"])
        #expect(actions.calls.isEmpty)
        // A snapshot causes no new list request, because the entries continue from the same position.
        #expect(!desk.entry(.snapshot).calls.contains(.list))
        #expect(desk.entry(.reset).calls.contains(.list))
    }

    @Test(arguments: [
        (ListFilter(), ["b", "c", "a"], ListView.conversations(count: 3, isCut: false)),
        (ListFilter(unreadOnly: true), ["b"], .conversations(count: 1, isCut: false)),
        (ListFilter(account: "work"), ["c"], .conversations(count: 1, isCut: false)),
        (
            ListFilter(unreadOnly: true, account: "work"), [],
            .filteredToNothing(ListFilter(unreadOnly: true, account: "work"))
        ),
        (ListFilter(tag: "crash"), ["a"], .conversations(count: 1, isCut: false)),
    ])
    func `A filter selects conversations`(filter: ListFilter, rows: [String], shown: ListView) {
        var tagged = Desk.view("a")
        tagged.tags = [TagView(tagId: "1", conversationId: "a", tagName: "crash")]
        var desk = Desk.filled(
            [tagged, Desk.view("b", unread: 2, at: 2), Desk.view("c", account: "work", at: 1)])
        desk.receive(.filter(filter))
        #expect(desk.rows.map(\.conversation) == rows)
        #expect(desk.state.listView == shown)
        #expect(desk.state.tagNames == ["crash"])
    }

    @Test func `An empty, a failed and a cut list are reported as such`() {
        #expect(Desk.filled([]).state.listView == .empty)
        var failing = Desk()
        _ = failing.entry(.snapshot)
        failing.receive(.failed(.list, .refused("No.")))
        #expect(failing.state.listView == .failed("No."))
        var cut = Desk.filled([])
        _ = cut.entry(.reset)
        let reply = ListConversations.Reply(
            conversations: [Desk.view("a")], badge: BadgeView(conversations: [:]), cut: true)
        cut.receive(.answered(.list, .list(reply)))
        #expect(cut.state.listView == .conversations(count: 1, isCut: true))
    }

    @Test func `A conversation read in the unread filter stays until the user leaves it`() {
        var desk = Desk.filled([Desk.view("a", unread: 1), Desk.view("b", unread: 1, at: 1)])
        desk.receive(.filter(ListFilter(unreadOnly: true)), .choose(Desk.key("a")))
        _ = desk.entry(.conversationRead, conversation: Desk.view("a"))
        #expect(desk.rows.map(\.conversation) == ["b", "a"])
        desk.receive(.choose(Desk.key("b")))
        #expect(desk.rows.map(\.conversation) == ["b"])
    }

    @Test func `A row that keeps its position is updated in place`() {
        var desk = Desk.filled([Desk.view("a")])
        #expect(
            desk.entry(.conversationRead, conversation: Desk.view("a", unread: 1)) == [.row(Desk.key("a"))])
        // An entry without a change causes no action.
        #expect(desk.entry(.conversationRead, conversation: Desk.view("a", unread: 1)).isEmpty)
    }

    @Test func `A row shows title, time, unread count, tags and account`() {
        var view = Desk.view("a", "The\napp", account: "work", unread: 3, status: "closed", last: "Ah,\nyes")
        view.tags = [TagView(tagId: "1", conversationId: "a", tagName: "crash", tagColor: "#F80")]
        let status = Desk.status([Desk.account("default"), Desk.account("work")])
        var desk = Desk.filled([view, Desk.view("b")], status: status)
        desk.receive(.drafts([DraftKey(view.key): "Well"]))
        let row = desk.state.row(view.key)
        #expect(
            row
                == ConversationRow(
                    key: view.key, title: "The app", lastMessage: "Ah, yes", time: "10:00", unread: 3,
                    tags: [TagLabel(name: "crash", colour: TagLabel.Colour("#ff8800"))], account: "work",
                    app: nil, mark: nil, hasEnded: true, draft: "Well", isChosen: false))
        #expect(
            row?.accessibleText == "The app, 3 unread messages, Draft: Well, Ah, yes, 10:00, crash, work")
        #expect(Desk.filled([Desk.view("b")]).state.row(Desk.key("b"))?.account == nil)
    }

    @Test(arguments: [(true, "Hello", true), (false, "Hello", false), (true, nil, false)])
    func `After the start, the newest conversation is open beside the list`(
        isWide: Bool, text: String?, isOpen: Bool
    ) {
        var desk = Desk()
        desk.receive(.window(isFocused: true, showsThread: isWide))
        _ = desk.entry(.snapshot)
        let views = [Desk.view("a", last: "Old"), Desk.view("b", last: text, at: 5)]
        let reply = ListConversations.Reply(conversations: views, badge: BadgeView())
        let actions = desk.receive(.answered(.list, .list(reply)))
        #expect(desk.state.chosen == (isOpen ? Desk.key("b") : nil))
        // The focus stays where it is.
        #expect(!actions.contains(.present))
        // A later list opens nothing.
        desk.receive(.choose(nil), .answered(.list, .list(reply)))
        #expect(desk.state.chosen == nil)
    }

    @Test func `A conversation that a link requests is not replaced by the newest one`() {
        var desk = Desk()
        desk.receive(
            .window(isFocused: true, showsThread: true), .open(conversation: "a", account: nil, message: nil))
        let views = [Desk.view("a", last: "Old"), Desk.view("b", last: "New", at: 5)]
        desk.receive(.answered(.list, .list(.init(conversations: views, badge: BadgeView()))))
        desk.receive([], views[0])
        #expect(desk.state.chosen == Desk.key("a"))
    }

    @Test func `A conversation without a title shows its category`() {
        var view = Desk.view("a")
        (view.title, view.category) = (nil, "bug")
        #expect(Desk.filled([view]).state.row(view.key)?.title == "Problem")
    }

    @Test(arguments: [
        ("#fff", "#ffffff", true), ("#F80", "#ff8800", true), ("#102030", "#102030", false),
        ("red", nil, false), ("#12345", nil, false), ("#12345g", nil, false), ("", nil, false),
    ])
    func `The color of a tag is valid or absent`(text: String, colour: String?, isLight: Bool) {
        #expect(TagLabel.Colour(text)?.text == colour)
        #expect((TagLabel.Colour(text)?.isLight ?? false) == isLight)
    }

    @Test func `A reloaded list reports changed rows, even if none moves`() {
        var desk = Desk.filled([Desk.view("a"), Desk.view("b", at: 1)])
        _ = desk.entry(.reset)
        let list = [Desk.view("a", unread: 2), Desk.view("b", at: 1)]
        let reply = ListConversations.Reply(conversations: list, badge: BadgeView(conversations: [:]))
        #expect(desk.receive(.answered(.list, .list(reply))) == [.row(Desk.key("a"))])
        #expect(desk.receive(.dayChanged) == [.row(Desk.key("b")), .row(Desk.key("a"))])
    }

    @Test func `A newly linked inbox is requested completely`() {
        var desk = Desk.filled([Desk.view("a")])
        #expect(desk.entry(.deviceLinked).calls.contains(.list))
        // A message of an unknown conversation.
        #expect(desk.entry(.messageCreated, message: Desk.message("1", in: "new")).calls == [])
        let list = Input.answered(
            .list, .list(.init(conversations: [], badge: BadgeView(conversations: [:]))))
        // The list is requested again, because the response in flight may be older than the message.
        #expect(desk.receive(list).calls == [.list])
        #expect(desk.receive(list).calls.isEmpty)
        #expect(desk.entry(.messageCreated, message: Desk.message("2", in: "new")).calls == [.list])
    }

    @Test func `With five thousand conversations an entry costs as little as with a few`() {
        let views = (0..<5000).map { Desk.view("c\($0)", at: Int64($0)) }
        var state = Desk.filled(views).state
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 0..<1000 {
                let view = Desk.view("c\(number)", unread: 1, at: 10_000 + Int64(number))
                let entry = Watch.Reply(
                    sequence: 1, type: .conversationUpdated, at: 0, data: LogDetails(conversation: view))
                let actions = state.next(.entry(entry), now: Desk.morning)
                #expect(actions.count == 2)
            }
        }
        // Comparing all 5 000 rows for each entry would take much longer.
        #expect(time < .seconds(2))
        #expect(state.rowKeys.first == Desk.key("c999"))
    }
}
