import ControlAPI
import Testing

@testable import InboxView

/// Every state of the list.
struct ListTests {
    @Test func `It loads once, and is kept current by the entries`() {
        var desk = Desk()
        #expect(desk.state.listView == .loading)
        #expect(desk.entry("snapshot").calls == [.status, .questions, .outbox, .list])
        desk = .filled([Desk.view("a"), Desk.view("b", at: 1)])
        #expect(desk.state.listView == .conversations(count: 2, isCut: false))
        #expect(desk.rows.map(\.conversation) == ["b", "a"])
        let actions = desk.entry("conversation.updated", conversation: Desk.view("a", at: 2))
        #expect(desk.rows.map(\.conversation) == ["a", "b"])
        #expect(actions.calls.isEmpty)
    }

    @Test func `Nothing, nothing that fits, and a failure are told apart`() {
        #expect(Desk.filled([]).state.listView == .empty)
        var desk = Desk.filled([Desk.view("a")])
        desk.tell(.filter(ListFilter(unreadOnly: true)))
        #expect(desk.state.listView == .filteredToNothing(ListFilter(unreadOnly: true)))
        #expect(desk.rows.isEmpty)
        desk.tell(.filter(ListFilter()))
        #expect(desk.rows.count == 1)
        var failing = Desk()
        _ = failing.entry("snapshot")
        failing.tell(.failed(.list, .refused("No.")))
        #expect(failing.state.listView == .failed("No."))
    }

    @Test func `A cut list says so`() {
        var desk = Desk.filled([])
        let reply = ListConversations.Reply(
            conversations: [Desk.view("a")], badge: BadgeView(conversations: [:]), cut: true)
        _ = desk.entry("reset")
        desk.tell(.answered(.list, .list(reply)))
        #expect(desk.state.listView == .conversations(count: 1, isCut: true))
    }
}
