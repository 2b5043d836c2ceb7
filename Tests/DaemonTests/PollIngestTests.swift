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
    private func poll(_ fixture: IngestFixture, _ conversation: Conversation, first: Bool = false) throws {
        try fixture.ingest.applyFetched(
            conversation, listedVersion: conversation, account: fixture.account, isFirstSync: first)
    }

    @Test func `The first sync announces only unread messages, and only after the sync is complete`() throws {
        let fixture = try IngestFixture(synced: false)
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(fixture, .sample("c", unread: 1, at: 3, messages), first: true)
        #expect(fixture.badge.total == nil)
        #expect(try fixture.ingest.finishPoll(of: fixture.account, totalUnread: 1, isFirstSync: true))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.pending() == ["m3"])
        #expect(
            try fixture.steps(of: "m3").map(\.detail) == [
                "first sync"
            ])
    }

    @Test func `All replies between two polls are announced`() throws {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        let all = [Message.sample("m1", at: 1), .sample("m2", at: 2), .sample("m3", at: 3)]
        try poll(fixture, .sample("c", unread: 3, at: 3, all))
        #expect(try fixture.pending() == ["m1", "m2", "m3"])
        #expect(fixture.badge == Badge(total: 3, unread: 3))
    }

    @Test
    func
        `If a message is read on another device and a new reply arrives between two polls, both are detected`()
        throws
    {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try poll(fixture, .sample("c", unread: 1, at: 3, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try fixture.pending() == ["m2"])
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        let steps = try fixture.steps(of: "m1").map(\.stage)
        #expect(steps == [.stored, .read])
    }

    @Test func `A reply that was read on another device before it arrived on this device is not announced`()
        throws
    {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 0, at: 1, [.sample("m1", at: 1)]))
        #expect(try fixture.pending().isEmpty)
        #expect(try fixture.logged(.messageCreated).count == 1)
    }

    @Test func `New messages are treated as unread if the server sends no counts`() throws {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: nil, at: 1, [.sample("m1", at: 1)]))
        try poll(fixture, .sample("c", unread: nil, at: 2, [.sample("m1", at: 1), .sample("m2", at: 2)]))
        #expect(try fixture.pending() == ["m1", "m2"])
        #expect(fixture.badge == Badge(total: 2, unread: 2))
    }

    @Test func `A replayed read event that is older than the last poll has no effect`() throws {
        let fixture = try IngestFixture()
        let messages = [Message.sample("m1", at: 1), .sample("m2", at: 3)]
        try poll(fixture, .sample("c", unread: 1, at: 3, messages))
        try fixture.accept(
            .reply(messages[0], unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"),
            .reply(messages[1], unread: 1, event: "e3"))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.pending() == ["m2"])
    }

    @Test func `A live event leaves the poll snapshot unchanged, so that the next poll detects lost events`()
        throws
    {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 0, at: 1))
        try fixture.accept(.reply(.sample("m2", at: 3), unread: 2, event: "e2"))
        let mark = try fixture.store.read {
            try $0.conversations.find("c", account: fixture.account)?.lastPoll
        }
        #expect(mark?.updatedAt == .base(plus: 1))
    }

    @Test func `A pending mark-read request takes effect locally before the request is sent`() throws {
        let fixture = try IngestFixture()
        let first = Message.sample("m1", at: 1)
        try fixture.accept(.reply(first, unread: 1, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { change in
            try change.transaction.outbox.append(
                .init(
                    id: "o", account: fixture.account, conversation: "c", kind: "read", payload: "{}",
                    idempotencyKey: "k", readBound: "m1", createdAt: .base))
            _ = try change.markRead("c")
        }
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        try poll(fixture, .sample("c", unread: 2, at: 2, [first, .sample("m2", at: 2)]))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.pending() == ["m2"])
    }

    @Test func `An unread total that differs from the sum of the local counts triggers a refetch`() throws {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        #expect(try !fixture.ingest.finishPoll(of: fixture.account, totalUnread: 2, isFirstSync: false))
        #expect(try fixture.ingest.finishPoll(of: fixture.account, totalUnread: 1, isFirstSync: false))
    }

    @Test func `A reply is announced even if it is dated before the preceding change`() throws {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 0, at: 1))
        var changed = Conversation.sample("c", unread: nil, at: 5)
        changed.status = .waitingUser
        try fixture.accept(
            Event(id: "e1", createdAt: .base(plus: 5), payload: .conversationUpdated(changed)),
            .reply(.sample("m1", at: 4), unread: 1, event: "e2"))
        #expect(try fixture.pending() == ["m1"])
        #expect(fixture.badge == Badge(total: 1, unread: 1))
    }

    @Test func `A conversation that was deleted on the server does not count as unread`() throws {
        let fixture = try IngestFixture()
        try poll(fixture, .sample("c", unread: 1, at: 1, [.sample("m1", at: 1)]))
        try fixture.ingest.markDeletedConversationAsRead("c", of: fixture.account)
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.pending().isEmpty)
    }

    @Test func `A closed account ignores events and does not affect the badge`() throws {
        let fixture = try IngestFixture()
        try fixture.ingest.setOpenAccounts([:])
        #expect(throws: CancellationError.self) {
            try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        }
        #expect(fixture.ingest.badge == Badge(total: 0, unread: 0))
    }
}
