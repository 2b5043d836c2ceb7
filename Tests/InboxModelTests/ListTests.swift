import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the conversation list and its rows in each of their states.
struct ListTests {
    @Test func `The conversation list is requested once and is then updated by event log entries`() {
        var fixture = InboxFixture()
        #expect(fixture.state.listView == .loading)
        #expect(fixture.entry(.snapshot).calls == [.status, .questions, .outbox, .list])
        fixture = .filled([InboxFixture.view("a"), InboxFixture.view("b", at: 1)])
        #expect(fixture.state.listView == .conversations(count: 2, isTruncated: false))
        #expect(fixture.rows.map(\.conversation) == ["b", "a"])
        let actions = fixture.entry(.conversationUpdated, conversation: InboxFixture.view("a", at: 2))
        #expect(fixture.rows.map(\.conversation) == ["a", "b"])
        #expect(actions.calls.isEmpty)
        // After a snapshot, events continue from the same position, so the list needs no new request.
        #expect(!fixture.entry(.snapshot).calls.contains(.list))
        #expect(fixture.entry(.reset).calls.contains(.list))
    }

    @Test(arguments: [
        (ListFilter(), ["b", "c", "a"], ListView.conversations(count: 3, isTruncated: false)),
        (ListFilter(unreadOnly: true), ["b"], .conversations(count: 1, isTruncated: false)),
        (ListFilter(account: "work"), ["c"], .conversations(count: 1, isTruncated: false)),
        (
            ListFilter(unreadOnly: true, account: "work"), [],
            .noMatches(ListFilter(unreadOnly: true, account: "work"))
        ),
        (ListFilter(tag: "crash"), ["a"], .conversations(count: 1, isTruncated: false)),
    ])
    func `A filter selects which conversations are listed`(
        filter: ListFilter, rows: [String], shown: ListView
    ) {
        var tagged = InboxFixture.view("a")
        tagged.tags = [TagView(tagId: "1", conversationId: "a", tagName: "crash")]
        var fixture = InboxFixture.filled(
            [
                tagged, InboxFixture.view("b", unread: 2, at: 2),
                InboxFixture.view("c", account: "work", at: 1),
            ])
        fixture.receive(.filter(filter))
        #expect(fixture.rows.map(\.conversation) == rows)
        #expect(fixture.state.listView == shown)
        #expect(fixture.state.tagNames == ["crash"])
    }

    @Test func `The conversation list states whether it is empty, is truncated or could not be loaded`() {
        #expect(InboxFixture.filled([]).state.listView == .empty)
        var failing = InboxFixture()
        _ = failing.entry(.snapshot)
        failing.receive(.failed(.list, .refused("No.")))
        #expect(failing.state.listView == .failed("No."))
        var cut = InboxFixture.filled([])
        _ = cut.entry(.reset)
        let reply = ListConversations.Reply(
            conversations: [InboxFixture.view("a")], badge: BadgeView(conversations: [:]), cut: true)
        cut.receive(.answered(.list, .list(reply)))
        #expect(cut.state.listView == .conversations(count: 1, isTruncated: true))
    }

    @Test func `With the unread filter, a conversation stays listed until another conversation is opened`() {
        var fixture = InboxFixture.filled([
            InboxFixture.view("a", unread: 1), InboxFixture.view("b", unread: 1, at: 1),
        ])
        fixture.receive(.filter(ListFilter(unreadOnly: true)), .choose(InboxFixture.key("a")))
        _ = fixture.entry(.conversationRead, conversation: InboxFixture.view("a"))
        #expect(fixture.rows.map(\.conversation) == ["b", "a"])
        fixture.receive(.choose(InboxFixture.key("b")))
        #expect(fixture.rows.map(\.conversation) == ["b"])
    }

    @Test func `A response with the complete list does not revert an update that arrived during the request`()
    {
        var fixture = InboxFixture.filled([InboxFixture.view("a", unread: 1), InboxFixture.view("b")])
        _ = fixture.entry(.reset)
        _ = fixture.entry(.conversationRead, conversation: InboxFixture.view("a"))
        let outdated = ListConversations.Reply(
            conversations: [InboxFixture.view("a", unread: 1), InboxFixture.view("b", "New title")],
            badge: BadgeView(conversations: [:]))
        fixture.receive(.answered(.list, .list(outdated)))
        #expect(fixture.state.row(for: InboxFixture.key("a"))?.unread == 0)
        #expect(fixture.state.row(for: InboxFixture.key("b"))?.title == "New title")
        // The next response belongs to a request that was sent after the update.
        _ = fixture.entry(.reset)
        fixture.receive(.answered(.list, .list(outdated)))
        #expect(fixture.state.row(for: InboxFixture.key("a"))?.unread == 1)
    }

    @Test func `The first response with the complete list does not revert an update that arrived earlier`() {
        // If a notification opened the window, the conversation is marked read before the list arrives.
        var fixture = InboxFixture()
        _ = fixture.entry(.snapshot)
        _ = fixture.entry(.conversationRead, conversation: InboxFixture.view("a"))
        #expect(fixture.state.listView == .loading)
        let outdated = ListConversations.Reply(
            conversations: [InboxFixture.view("a", unread: 1)], badge: BadgeView(conversations: [:]))
        fixture.receive(.answered(.list, .list(outdated)))
        #expect(fixture.rows.map(\.conversation) == ["a"])
        #expect(fixture.state.row(for: InboxFixture.key("a"))?.unread == 0)
        #expect(fixture.state.unread == 0)
    }

    @Test func `A row whose position is unchanged is updated in place`() {
        var fixture = InboxFixture.filled([InboxFixture.view("a")])
        #expect(
            fixture.entry(.conversationRead, conversation: InboxFixture.view("a", unread: 1)) == [
                .row(InboxFixture.key("a"))
            ])
        // An event without a change must cause no action.
        #expect(fixture.entry(.conversationRead, conversation: InboxFixture.view("a", unread: 1)).isEmpty)
    }

    @Test func `A row shows title, time, unread count, tags and account`() {
        var view = InboxFixture.view(
            "a", "The\napp", account: "work", unread: 3, status: "closed", last: "Ah,\nyes")
        view.tags = [TagView(tagId: "1", conversationId: "a", tagName: "crash", tagColor: "#F80")]
        let status = InboxFixture.status([InboxFixture.account("default"), InboxFixture.account("work")])
        var fixture = InboxFixture.filled([view, InboxFixture.view("b")], status: status)
        fixture.receive(.drafts([DraftKey(view.key): "Well"]))
        let row = fixture.state.row(for: view.key)
        #expect(
            row
                == ConversationRow(
                    key: view.key, title: "The app", lastMessage: "Ah, yes", time: "10:00", unread: 3,
                    tags: [TagLabel(name: "crash", colour: TagLabel.Colour("#ff8800"))], account: "work",
                    app: nil, mark: nil, hasEnded: true, draft: "Well", isChosen: false))
        #expect(
            row?.accessibleText == "The app, 3 unread messages, Draft: Well, Ah, yes, 10:00, crash, work")
        #expect(
            InboxFixture.filled([InboxFixture.view("b")]).state.row(for: InboxFixture.key("b"))?.account
                == nil)
    }

    @Test(arguments: [(true, "Hello", true), (false, "Hello", false), (true, nil, false)])
    func `At launch, the newest conversation is opened if the window shows the list next to the thread`(
        isWide: Bool, text: String?, isOpen: Bool
    ) {
        var fixture = InboxFixture()
        fixture.receive(.window(isFocused: true, showsThread: isWide))
        _ = fixture.entry(.snapshot)
        let views = [InboxFixture.view("a", last: "Old"), InboxFixture.view("b", last: text, at: 5)]
        let reply = ListConversations.Reply(conversations: views, badge: BadgeView())
        let actions = fixture.receive(.answered(.list, .list(reply)))
        #expect(fixture.state.chosen == (isOpen ? InboxFixture.key("b") : nil))
        // The composer gets the focus, so that the user can write at once. Without `presentWindow`, a window
        // that becomes narrow later still shows the list.
        #expect(!actions.contains(.presentWindow) && actions.contains(.focusComposer) == isOpen)
        // If the user has closed the conversation, a list that arrives later must not open another
        // conversation.
        fixture.receive(.choose(nil), .answered(.list, .list(reply)))
        #expect(fixture.state.chosen == nil)
    }

    @Test func `A conversation that was opened by a link is not replaced by the newest conversation`() {
        var fixture = InboxFixture()
        fixture.receive(
            .window(isFocused: true, showsThread: true), .open(conversation: "a", account: nil, message: nil))
        let views = [InboxFixture.view("a", last: "Old"), InboxFixture.view("b", last: "New", at: 5)]
        fixture.receive(.answered(.list, .list(.init(conversations: views, badge: BadgeView()))))
        fixture.receive([], views[0])
        #expect(fixture.state.chosen == InboxFixture.key("a"))
    }

    @Test func `A conversation without a title is listed with its category`() {
        var view = InboxFixture.view("a")
        (view.title, view.category) = (nil, "bug")
        #expect(InboxFixture.filled([view]).state.row(for: view.key)?.title == "Problem")
    }

    @Test(arguments: [
        ("#fff", "#ffffff", true), ("#F80", "#ff8800", true), ("#102030", "#102030", false),
        ("red", nil, false), ("#12345", nil, false), ("#12345g", nil, false), ("", nil, false),
    ])
    func `A tag with an invalid color is shown without a color`(text: String, colour: String?, isLight: Bool)
    {
        #expect(TagLabel.Colour(text)?.text == colour)
        #expect((TagLabel.Colour(text)?.isLight ?? false) == isLight)
    }

    @Test func `Reloading the list updates changed rows even if no row moves`() {
        var fixture = InboxFixture.filled([InboxFixture.view("a"), InboxFixture.view("b", at: 1)])
        _ = fixture.entry(.reset)
        let list = [InboxFixture.view("a", unread: 2), InboxFixture.view("b", at: 1)]
        let reply = ListConversations.Reply(conversations: list, badge: BadgeView(conversations: [:]))
        #expect(fixture.receive(.answered(.list, .list(reply))) == [.row(InboxFixture.key("a"))])
        #expect(fixture.receive(.dayChanged) == [.row(InboxFixture.key("b")), .row(InboxFixture.key("a"))])
    }

    @Test func `After a device is linked, the complete list is requested again`() {
        var fixture = InboxFixture.filled([InboxFixture.view("a")])
        #expect(fixture.entry(.deviceLinked).calls.contains(.list))
        // A message arrives in a conversation that is not in the list.
        #expect(fixture.entry(.messageCreated, message: InboxFixture.message("1", in: "new")).calls == [])
        let list = Input.answered(
            .list, .list(.init(conversations: [], badge: BadgeView(conversations: [:]))))
        // The list is requested once more, because the response may be older than the message.
        #expect(fixture.receive(list).calls == [.list])
        #expect(fixture.receive(list).calls.isEmpty)
        #expect(
            fixture.entry(.messageCreated, message: InboxFixture.message("2", in: "new")).calls == [.list])
    }

    @Test func `With five thousand conversations, a thousand events are processed within two seconds`() {
        let views = (0..<5000).map { InboxFixture.view("c\($0)", at: Int64($0)) }
        var state = InboxFixture.filled(views).state
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 0..<1000 {
                let view = InboxFixture.view("c\(number)", unread: 1, at: 10_000 + Int64(number))
                let entry = Watch.Reply(
                    sequence: 1, type: .conversationUpdated, at: 0, data: LogDetails(conversation: view))
                let actions = state.handle(.entry(entry), now: InboxFixture.morning)
                #expect(actions.count == 2)
            }
        }
        // The limit detects a comparison of all 5 000 rows for each event, which would take much longer.
        #expect(time < .seconds(2))
        #expect(state.rowKeys.first == InboxFixture.key("c999"))
    }
}
