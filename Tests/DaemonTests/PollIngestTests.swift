import CutieAPI
import FeedPolicy
@_spi(Accounts) import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct PollIngestTests {
    private func poll(_ desk: Desk, _ conversation: Conversation, first: Bool = false) throws {
        try desk.ingest.applyFetched(
            conversation, listed: conversation, account: desk.account, isFirstSync: first)
    }

    @Test func `The first sync is silent for read messages and holds unread ones`() throws {
        let desk = try Desk(synced: false)
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(desk, .sample("c", unread: 1, at: 3, messages), first: true)
        #expect(desk.badge.total == nil)
        #expect(try desk.ingest.finishPoll(of: desk.account, totalUnread: 1, isFirstSync: true))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m3"])
        #expect(
            try desk.steps(of: "m3").map(\.detail) == [
                "first sync"
            ])
    }

    @Test func `All replies between two polls are announced`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        let all = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(desk, .sample("c", unread: 3, at: 3, all))
        #expect(try desk.pending() == ["m1", "m2", "m3"])
        #expect(desk.badge == Badge(total: 3, unread: 3))
    }

    @Test func `One read and one new reply between two polls are both noticed`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try poll(desk, .sample("c", unread: 1, at: 3, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try desk.pending() == ["m2"])
        #expect(desk.badge == Badge(total: 1, unread: 1))
        let steps = try desk.steps(of: "m1").map(\.stage)
        #expect(steps == [.stored, .read])
    }

    @Test func `A reply that was read elsewhere before it arrived is not announced`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 0, at: 1, [.sample("m1", at: 1)]))
        #expect(try desk.pending().isEmpty)
        #expect(try desk.logged(.messageCreated).count == 1)
    }

    @Test func `If the server sends no counts, new messages are unread`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: nil, at: 1, [.sample("m1", at: 1)]))
        try poll(desk, .sample("c", unread: nil, at: 2, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try desk.pending() == ["m1", "m2"])
        #expect(desk.badge == Badge(total: 2, unread: 2))
    }

    @Test func `A replayed read from before the last poll has no effect`() throws {
        let desk = try Desk()
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 3)]
        try poll(desk, .sample("c", unread: 1, at: 3, messages))
        try desk.accept(
            .reply(messages[0], unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"),
            .reply(messages[1], unread: 1, event: "e3"))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `A live event does not hide earlier lost events from the next poll`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 0, at: 1))
        try desk.accept(.reply(.sample("m2", at: 3), unread: 2, event: "e2"))
        let mark = try desk.store.read { try $0.conversations.find("c", account: desk.account)?.polled }
        #expect(mark?.updatedAt == .base(plus: 1))
    }

    @Test func `A queued mark-read takes effect locally at once`() throws {
        let desk = try Desk()
        let first = Message.sample("m1", at: 1)
        try desk.accept(.reply(first, unread: 1, event: "e1"))
        try desk.ingest.change(desk.account) { change in
            try change.transaction.outbox.append(
                .init(
                    id: "o", account: desk.account, conversation: "c", kind: "read", payload: "{}",
                    idempotencyKey: "k", readBound: "m1", createdAt: .base))
            _ = try change.markRead("c")
        }
        #expect(desk.badge == Badge(total: 0, unread: 0))
        try poll(desk, .sample("c", unread: 2, at: 2, [first, .sample("m2", at: 2)]))
        #expect(desk.badge == Badge(total: 1, unread: 1))
        #expect(try desk.pending() == ["m2"])
    }

    @Test func `A total that differs from the local sum means that messages are missing`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        #expect(try !desk.ingest.finishPoll(of: desk.account, totalUnread: 2, isFirstSync: false))
        #expect(try desk.ingest.finishPoll(of: desk.account, totalUnread: 1, isFirstSync: false))
    }

    @Test func `A reply dated before the preceding change is announced`() throws {
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

    @Test func `A conversation that the server no longer has is not unread`() throws {
        let desk = try Desk()
        try poll(desk, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try desk.ingest.markGoneAsRead("c", of: desk.account)
        #expect(desk.badge == Badge(total: 0, unread: 0))
        #expect(try desk.pending().isEmpty)
    }

    @Test func `A closed account accepts no events and does not restore an unknown badge`()
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
