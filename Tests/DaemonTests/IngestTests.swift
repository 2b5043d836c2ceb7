import Config
import CutieAPI
import FeedPolicy
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@_spi(EventLog) @testable import Store

@MainActor
struct IngestTests {
    @Test func `A new reply is logged, counted and queued for announcement`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.pending() == ["m1"])
        #expect(try fixture.logged(.messageCreated).map(\.message) == ["m1"])
        #expect(try fixture.store.read { try $0.accounts.find(fixture.account)?.cursor } == "e1")
    }

    @Test func `A repeated event has no effect`() throws {
        let fixture = try IngestFixture()
        let reply = Event.reply(.sample("m1", at: 1), unread: 1, event: "e1")
        try fixture.accept(reply)
        try fixture.accept(reply, reply)
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.logged(.messageCreated).count == 1)
    }

    /// Covers both tables in which the ID of an event may be stored: with its new message, or in the table of
    /// events if the message was already stored.
    @Test(arguments: [false, true])
    func `A repeated event does not undo a later read`(isFetchedBefore: Bool) throws {
        let fixture = try IngestFixture()
        let message = Message.sample("m1", at: 1)
        if isFetchedBefore {
            let thread = Conversation.sample("c", unread: 1, at: 1, [message])
            try fixture.ingest.applyFetched(
                thread, listedVersion: thread, account: fixture.account, isFirstSync: false)
            fixture.time.pass(.seconds(120))
        }
        let reply = Event.reply(message, unread: 1, event: "e1")
        try fixture.accept(reply)
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        try fixture.accept(.read("c", leaving: 0, at: 2, event: "e2"))
        try fixture.accept(reply)
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.logged(.messageCreated).count == 1)
    }

    @Test func `A message that is repeated in another event has no effect`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e2"))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.logged(.messageCreated).count == 1)
    }

    @Test func `A new message is stored even if its event ID is already known`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e1"))
        #expect(fixture.badge == Badge(total: 2, unread: 2))
        #expect(try fixture.pending() == ["m1", "m2"])
    }

    @Test func `A message ID that occurs in two conversations identifies two messages`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m1", in: "d", at: 2), unread: 1, event: "e2"))
        #expect(fixture.badge == Badge(total: 2, unread: 2))
        #expect(try fixture.pending() == ["m1", "m1"])
        try fixture.accept(.read("d", leaving: 0, at: 3, event: "e3"))
        #expect(try fixture.pending() == ["m1"])
        let stages = try fixture.store.read { transaction in
            try ["c", "d"].map { (thread: Conversation.ID) in
                try transaction.ledger.fetchSteps(of: "m1", in: thread, account: fixture.account).last?.stage
            }
        }
        #expect(stages == [.stored, .read])
    }

    @Test func `Each message of a batch is logged in order, with the badge at the time of the message`()
        throws
    {
        let fixture = try IngestFixture()
        let before = fixture.ingest.head.value
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m2", in: "d", at: 2), unread: 1, event: "e2"),
            .read("c", leaving: 0, at: 3, event: "e3"),
            .reply(.sample("m3", at: 4), unread: 1, event: "e4"),
            .reply(.sample("m3", at: 4), unread: 1, event: "e5"))
        let entries = try fixture.store.read { try $0.log.fetchEntries(after: before, limit: 10) }
        #expect(entries.map(\.message) == ["m1", "m2", nil, "m3"])
        #expect(entries.map(\.badgeTotal) == [1, 2, 1, 2])
        #expect(entries.map(\.badgeConversation) == [1, 1, 0, 1])
        #expect(entries.map(\.sequence) == (1...4).map { before + $0 })
        #expect(fixture.ingest.head.value == before + 4)
    }

    @Test(arguments: [ReminderRecord.State.scheduled, .due, .done], [false, true])
    func `A reply removes the snooze of its conversation`(
        state: ReminderRecord.State, isAfterReset: Bool
    ) throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.store.write { transaction in
            try transaction.reminders.save(
                ReminderRecord(
                    account: fixture.account, conversation: "c", kind: .snooze, dueAt: .base(plus: 90_000),
                    since: .base, state: state))
        }
        if isAfterReset {
            try fixture.ingest.performChange(on: fixture.account) { try $0.resetHistory() }
        }
        try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
        let (snooze, record) = try fixture.store.read { transaction in
            (
                try transaction.reminders.find(.snooze, of: "c", account: fixture.account),
                try transaction.conversations.find("c", account: fixture.account)
            )
        }
        #expect(snooze == nil)
        #expect(record?.marks == ConversationMarks())
    }

    @Test
    func
        `A change that may affect a reminder wakes the reminder task; a further reply in a conversation does not`()
        throws
    {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        let signal = fixture.ingest.reminderSignal
        var count = signal.count
        try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
        #expect(signal.count == count)
        let changes: [() throws -> Void] = [
            { try fixture.accept(.reply(.sample("m3", in: "new", at: 3), unread: 1, event: "e3")) },
            { try fixture.accept(.read("c", leaving: 0, at: 4, event: "e4")) },
            {
                var resolved = Conversation(id: "c", status: .resolved)
                resolved.updatedAt = .base(plus: 5)
                try fixture.accept(
                    Event(
                        id: "e5", createdAt: .base(plus: 5), payload: .conversationUpdated(resolved)))
            },
            {
                try fixture.ingest.performChange(on: fixture.account) {
                    try $0.updateMarks(of: "c") { $0.isMuted = true }
                }
            },
            {
                _ = try fixture.ingest.finishPoll(
                    of: fixture.account, totalUnread: nil, isFirstSync: true)
            },
            { try fixture.ingest.log(.state) { _ in } },
        ]
        for change in changes {
            try change()
            #expect(signal.count > count)
            count = signal.count
        }
    }

    @Test func `The user's own message is stored, but neither counted nor announced`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", by: .user, at: 1), unread: 0, event: "e1"))
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.pending().isEmpty)
        #expect(try fixture.store.read { try $0.messages.find("m1").count } == 1)
    }

    @Test func `An internal note that a server sends by mistake is not stored`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1, note: true), unread: 1, event: "e1"))
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(
            try fixture.store.read {
                try $0.messages.find("m1").isEmpty
                    && $0.conversations.find("c", account: fixture.account) == nil
            })
    }

    @Test func `A note in a fetched thread or in a response is not stored`() throws {
        let fixture = try IngestFixture()
        let note = Message.sample("m1", at: 1, note: true)
        let thread = Conversation.sample("c", unread: 0, at: 2, [note, .sample("m2", at: 2)])
        try fixture.ingest.applyFetched(
            thread, listedVersion: thread, account: fixture.account, isFirstSync: false)
        try fixture.ingest.performChange(on: fixture.account) {
            try $0.addOwnMessage(.sample("m3", by: .user, at: 3, note: true), in: "c")
        }
        try fixture.store.read { transaction throws in
            #expect(
                try transaction.messages.fetchNewest(in: "c", account: fixture.account).map(\.message.id) == [
                    "m2"
                ]
            )
            #expect(try !transaction.messages.wasEverStored("m1", in: "c", account: fixture.account))
            #expect(try !transaction.messages.wasEverStored("m3", in: "c", account: fixture.account))
        }
        #expect(try fixture.logged(.messageCreated).map(\.message) == ["m2"])
        #expect(fixture.badge == Badge(total: 0, unread: 0))
    }

    @Test func `In a device account, whether a message is the user's own depends on its sender type`()
        throws
    {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", by: .user, at: 1), unread: 0, event: "e1"),
            .reply(.sample("m2", by: .system, at: 2), unread: 1, event: "e2"))
        let records = try fixture.store.read {
            try $0.messages.fetchNewest(in: "c", account: fixture.account)
        }
        #expect(records.map(\.isOwn) == [true, false] && records.map(\.isReply) == [false, true])
    }

    @Test func `The daemon counts unread messages if the server sends no counts`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: nil, event: "e1"),
            .reply(.sample("m2", at: 2), unread: nil, event: "e2"))
        #expect(fixture.badge == Badge(total: 2, unread: 2))
    }

    @Test
    func `The unread total of an event is compared with the local count at the time of that event`()
        throws
    {
        let fixture = try IngestFixture()
        func agrees(_ events: Event...) throws -> Bool {
            try fixture.ingest.apply(events, to: fixture.account, receivedOver: .stream).matchesServerTotal
        }
        #expect(
            try agrees(
                .reply(.sample("m1", at: 1), unread: 1, of: 1, event: "e1"),
                .reply(.sample("m2", at: 2), unread: 2, event: "e2")))
        #expect(try agrees(.reply(.sample("m3", at: 3), unread: 3, of: 3, event: "e3")))
        #expect(try !agrees(.reply(.sample("m4", at: 4), unread: 4, of: 5, event: "e4")))
        let read = Event(
            id: "e6", createdAt: .base(plus: 6),
            payload: .conversationUpdated(.sample("c", unread: 0, at: 6)))
        #expect(try agrees(.reply(.sample("m5", at: 5), unread: 5, of: 5, event: "e5"), read))
    }

    @Test func `A reply that is read on another device before its announcement is not announced`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"))
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.pending().isEmpty)
    }

    @Test func `If a read event leaves some messages unread, the oldest messages are marked read`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m2", at: 2), unread: 2, event: "e2"),
            .reply(.sample("m3", at: 3), unread: 3, event: "e3"),
            .read("c", leaving: 1, at: 4, event: "e4"))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
        #expect(try fixture.pending() == ["m3"])
    }

    @Test func `A message that is already read is not reported as read again`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"), .read("c", leaving: 0, at: 2, event: "e2"),
            .read("c", leaving: 0, at: 3, event: "e3"))
        #expect(try fixture.logged(.conversationRead).count == 1)
        #expect(try fixture.store.read { try $0.accounts.find(fixture.account)?.cursor } == "e3")
    }

    @Test func `Clearing the badge sets the local count to zero and keeps the server's count`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        try fixture.ingest.performChange(on: fixture.account) { try $0.clearBadge(of: nil) }
        #expect(fixture.badge == Badge(total: 0, unread: 1))
        try fixture.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"))
        #expect(fixture.badge == Badge(total: 1, unread: 2))
    }

    @Test func `The badge is unchanged after a restart`() throws {
        let fixture = try IngestFixture()
        try fixture.accept(
            .reply(.sample("m1", at: 1), unread: 1, event: "e1"),
            .reply(.sample("m2", in: "d", at: 2), unread: 1, event: "e2"))
        try fixture.ingest.performChange(on: fixture.account) { try $0.clearBadge(of: "c") }
        #expect(try fixture.restarted().badges[fixture.account] == Badge(total: 1, unread: 2))
    }

    @Test func `The previous accounts remain open if the change to new accounts cannot be stored`() throws {
        let fixture = try IngestFixture()
        try fixture.store.write { try $0.run("PRAGMA query_only = 1") }
        #expect(throws: StoreError.self) { try fixture.ingest.setOpenAccounts([:]) }
        try fixture.store.read { try $0.run("PRAGMA query_only = 0") }
        try fixture.accept(.reply(.sample("m1", at: 1), unread: 1, event: "e1"))
        #expect(fixture.badge == Badge(total: 1, unread: 1))
    }

    @Test func `A failed transaction changes neither the store nor the badge`() throws {
        struct TestError: Error {}
        let fixture = try IngestFixture()
        #expect(throws: TestError.self) {
            try fixture.ingest.performChange(on: fixture.account) { change in
                try change.apply(.reply(.sample("m1", at: 1), unread: 1, event: "e1"), receivedOver: .stream)
                throw TestError()
            }
        }
        #expect(fixture.badge == Badge(total: 0, unread: 0))
        #expect(try fixture.pending().isEmpty)
        #expect(fixture.ingest.head.value == 1)
    }
}
