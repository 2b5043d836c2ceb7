import CutieAPI
import Inbox
@_spi(Accounts) import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import Log
@testable import Screen

@MainActor
struct PollIngestTests {
    private func poll(_ desk: Desk, _ conversation: Conversation, first: Bool = false) throws {
        try desk.ingest.accept(
            fetched: conversation, listed: conversation, account: desk.account, first: first)
    }

    @Test func `The first sync takes what was read silently and holds what is unread`() throws {
        let desk = try Desk(synced: false)
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(desk, .sample("c", unread: 1, at: 3, messages), first: true)
        #expect(desk.badge.total == nil)
        #expect(try desk.ingest.complete(desk.account, totalUnread: 1, first: true))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m3"])
        #expect(
            try desk.steps(of: "m3").map(\.detail) == [
                "first sync"
            ])
    }

    @Test func `Several replies between two polls are all announced`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        let all = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(desk, .sample("c", unread: 3, at: 3, all))
        #expect(try desk.pending() == ["m1", "m2", "m3"])
        #expect(desk.badge == Badge(total: 3, unread: 3))
    }

    @Test func `One read elsewhere and one new leave the count the same and are both seen`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try poll(desk, .sample("c", unread: 1, at: 3, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try desk.pending() == ["m2"])
        #expect(desk.badge == Badge(total: 1, unread: 1))
        let steps = try desk.steps(of: "m1").map(\.stage)
        #expect(steps == [.stored, .read])
    }

    @Test func `A reply that was read elsewhere before we saw it is not announced`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 0, at: 1, [.sample("m1", at: 1)]))
        #expect(try desk.pending().isEmpty)
        #expect(try desk.logged(.messageCreated).count == 1)
    }

    @Test func `A server that does not count: what is new is unread`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: nil, at: 1, [.sample("m1", at: 1)]))
        try poll(desk, .sample("c", unread: nil, at: 2, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try desk.pending() == ["m1", "m2"])
        #expect(desk.badge == Badge(total: 2, unread: 2))
    }

    @Test func `A read replayed after the poll that came after it undoes nothing`() throws {
        let desk = try Desk()
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 3)]
        try poll(desk, .sample("c", unread: 1, at: 3, messages))
        try desk.accept(
            .reply(messages[0], unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"),
            .reply(messages[1], unread: 1, event: "e3"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `A live event does not hide from the poll what was lost before it`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 0, at: 1))
        try desk.accept(.reply(.sample("m2", at: 3), unread: 2, event: "e2"))
        let mark = try desk.store.read { try $0.conversations.find("c", account: desk.account)?.polled }
        #expect(mark?.updatedAt == .base(plus: 1))
    }

    @Test func `A mark-read that waits in the outbox is true for the person at once`() throws {
        let desk = try Desk()
        let first = Message.sample("m1", at: 1)
        try desk.accept(.reply(first, unread: 1, event: "e1"))
        try desk.ingest.change(desk.account) { change in
            try change.transaction.outbox.append(
                .init(
                    id: "o", account: desk.account, conversation: "c", kind: "read", payload: "{}",
                    idempotencyKey: "k", readBound: "m1", createdAt: .base))
            _ = try change.read("c")
        }
        #expect(desk.badge == Badge(total: 0, unread: 0))
        try poll(desk, .sample("c", unread: 2, at: 2, [first, .sample("m2", at: 2)]))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `A total that is not the sum of what is here tells that something is missing`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        #expect(try !desk.ingest.complete(desk.account, totalUnread: 2, first: false))
        #expect(try desk.ingest.complete(desk.account, totalUnread: 1, first: false))
    }

    @Test func `A reply dated before the change that came before it is announced all the same`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 0, at: 1))
        var changed = Conversation.sample("c", unread: nil, at: 5)
        changed.status = .waitingUser
        try desk.accept(
            Event(id: "e1", createdAt: .base(plus: 5), payload: .conversationUpdated(changed)),
            .reply(.sample("m1", at: 4), unread: 1, event: "e2"))
        #expect(try desk.pending() == ["m1"])
        #expect(desk.badge == Badge(total: 1, unread: 1))
    }

    @Test func `A conversation that the server has no more is unread no more`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try desk.ingest.lose("c", of: desk.account)
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
    }

    @Test func `An account that was closed takes nothing, and does not come back with an unknown badge`()
        throws
    {
        let desk = try Desk()
        try desk.ingest.open(only: [:])
        #expect(throws: CancellationError.self) {
            try desk.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        }
        #expect(desk.ingest.badge == Badge(total: 0, unread: 0))
    }
}
