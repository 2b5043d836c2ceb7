import Config
import ControlAPI
import CutieAPI
import FeedPolicy
import Foundation
import Glibc
import NotificationPolicy
import Runtime
import TestSupport
import Testing
import TextSearch

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@_spi(EventLog) @testable import Store

/// Tests that storing or searching thousands of messages does not delay a reply.
@MainActor
struct LongThreadTests {
    private static let length = 600
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture() }

    /// Returns a thread with a message for each number in `messages`. The user sent every fourth message.
    private static func thread(
        _ id: Conversation.ID = "c", messagePrefix: String = "m", unread: Int?,
        _ messages: Range<Int> = 0..<length
    ) -> Conversation {
        .sample(
            id, unread: unread, at: 9000,
            messages.map {
                .sample(
                    .init("\(messagePrefix)\($0)"), by: $0.isMultiple(of: 4) ? .user : .admin, at: Int64($0))
            })
    }

    private static func apply(
        _ thread: Conversation, to fixture: IngestFixture, of account: AccountID? = nil, first: Bool = false
    ) async throws {
        try await fixture.ingest.applyFetchedInSlices(
            thread, listedVersion: thread, account: account ?? fixture.account, isFirstSync: first)
    }

    private static func storedMessages(_ fixture: IngestFixture, in conversation: String = "c") throws -> Int
    {
        try fixture.store.read {
            try $0.fetchCount("SELECT COUNT(*) FROM message WHERE conversation = ?", [conversation.stored])
        }
    }

    @Test func `A reply in another conversation is shown while a long thread is being stored`() async throws {
        let server = FakeNotificationServer()
        let queue = fixture.queue(server)
        fixture.collaborators.participate = { try queue.addWrites(to: $0) }
        // The conversation must be long: showing the reply takes several turns of the main actor, and a slice
        // may be stored between two turns.
        let length = 80 * FetchedMessages.slice
        // On a busy computer, showing the reply may be so slow that the whole conversation is stored first. In
        // that case, try again. If the conversation were stored in one step, no attempt would succeed.
        let attempts = 1...10
        var success: Int?
        try await running(queue.run) {
            for attempt in attempts {
                let (thread, other) = ("c\(attempt)", "other\(attempt)")
                let storing = Task {
                    try await Self.apply(
                        Self.thread(.init(thread), messagePrefix: thread + "-", unread: 0, 0..<length),
                        to: fixture)
                }
                while try Self.storedMessages(fixture, in: thread) == 0 { await EventLoop.shared.yield() }
                try fixture.accept(
                    .reply(
                        .sample(.init(other), in: .init("d\(attempt)"), at: 9001), unread: 1,
                        event: .init("e\(attempt)")))
                while !server.shown.contains(where: { $0.notification.body.contains("text of \(other)") }) {
                    await EventLoop.shared.yield()
                }
                let isShownFirst = try Self.storedMessages(fixture, in: thread) < length
                try await storing.value
                #expect(try Self.storedMessages(fixture, in: thread) == length)
                #expect(fixture.badge == Badge(total: attempt, unread: attempt))
                if isShownFirst {
                    success = attempt
                    return
                }
            }
        }
        #expect(success != nil)
    }

    /// The result must not depend on how the thread is divided into slices.
    @Test(
        arguments: [
            (nil, 0, true), (nil, 0, false), (0, 0, true), (0, 10, false), (1, 10, false), (3, 0, true),
            (300, 0, true), (300, 10, false), (nil, 10, false), (440, 0, false),
        ] as [(Int?, Int, Bool)])
    func `Storing a thread in slices has the same result as storing it in a single transaction`(
        unread: Int?, known: Int, first: Bool
    ) async throws {
        let other = try IngestFixture(synced: !first)
        let sliced = try IngestFixture(synced: !first)
        for fixture in [other, sliced] where known > 0 {
            let part = Self.thread(unread: 5, 0..<known)
            try fixture.ingest.applyFetched(
                part, listedVersion: part, account: fixture.account, isFirstSync: first)
        }
        let thread = Self.thread(unread: unread)
        try other.ingest.applyFetched(
            thread, listedVersion: thread, account: other.account, isFirstSync: first)
        try await Self.apply(thread, to: sliced, first: first)
        for fixture in [other, sliced] {
            _ = try fixture.ingest.finishPoll(of: fixture.account, totalUnread: nil, isFirstSync: first)
        }
        #expect(sliced.badge == other.badge)
        try Self.expectEqual(sliced, other) { try $0.ingest.findConversation("c", of: $0.account)?.unread }
        try Self.expectEqual(sliced, other) {
            try $0.ingest.findConversation("c", of: $0.account)?.sinceClear
        }
        try Self.expectEqual(sliced, other) { try $0.ingest.findConversation("c", of: $0.account)?.lastPoll }
        try Self.expectEqual(sliced, other) {
            try $0.ingest.findConversation("c", of: $0.account)?.lastMessage
        }
        for columns in ["id", "pending > 0", "stage", "stored_detail", "logged"] {
            try Self.expectEqual(sliced, other) {
                try $0.store.read {
                    try $0.fetchAll("SELECT \(columns) FROM message ORDER BY row") {
                        $0.readOptionalText() ?? ""
                    }
                }
            }
        }
    }

    private static func expectEqual<Value: Equatable>(
        _ one: IngestFixture, _ other: IngestFixture, _ value: (IngestFixture) throws -> Value,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        let (first, second) = (try value(one), try value(other))
        #expect(first == second, sourceLocation: place)
    }

    @Test
    func `An event waits until its thread is stored, so that the event's reply is the newest message`()
        async throws
    {
        let unit = try fixture.unit()
        let account = unit.account.id
        let storing = Task { try await Self.apply(Self.thread(unread: 0), to: fixture, of: account) }
        while try Self.storedMessages(fixture) == 0 { await EventLoop.shared.yield() }
        try await unit.feed.synchronizer.handleEvents(
            [.reply(.sample("live", at: 9001), unread: 1, event: "e1")], receivedOver: .stream)
        #expect(try Self.storedMessages(fixture) == Self.length + 1)
        try await storing.value
        let record = try #require(try fixture.ingest.findConversation("c", of: account))
        #expect(record.lastMessage == "text of live" && record.unread == 1)
        #expect(try fixture.pending() == ["live"])
    }

    @Test func `A thread that was partly stored is completed by the next poll`() async throws {
        let thread = Self.thread(unread: 2)
        var fixture = fixture
        var storing = Task { [fixture] in try await Self.apply(thread, to: fixture) }
        // If this task resumes only after the last slice was stored, the test retries with a new database.
        for _ in 0..<100 {
            while try Self.storedMessages(fixture) == 0 { await EventLoop.shared.yield() }
            if try Self.storedMessages(fixture) < Self.length { break }
            try await storing.value
            fixture = try IngestFixture()
            storing = Task { [fixture] in try await Self.apply(thread, to: fixture) }
        }
        try fixture.ingest.setOpenAccounts([:])
        await #expect(throws: CancellationError.self) { try await storing.value }
        #expect(try (1..<Self.length).contains(Self.storedMessages(fixture)))
        try fixture.ingest.setOpenAccounts([fixture.account: .user])
        #expect(try fixture.ingest.findConversation("c", of: fixture.account)?.lastPoll == nil)
        try await Self.apply(thread, to: fixture)
        #expect(try Self.storedMessages(fixture) == Self.length)
        #expect(try fixture.pending() == ["m598", "m599"])
        #expect(fixture.badge == Badge(total: 2, unread: 2))
    }

    /// Measures processor time instead of elapsed time, which depends on the load of the machine.
    @Test func `A search for a word that occurs in all 200 000 messages does not block the main actor`() async
    {
        await #expect(processExitsWith: .success) { try await Self.searchWhileRepliesArrive() }
    }

    private static func searchWhileRepliesArrive() async throws {
        let fixture = try IngestFixture()
        try fixture.store.write { transaction in
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
                INSERT INTO message (row, account, id, conversation, created_at, sequence, stage, pending,
                sender_type, type, text)
                SELECT 100 + i, \(fixture.account.rawValue), 'm' || i, 'c' || (i % 1000), i, 100 + i, 5, 0, 'admin', 'text',
                'hello number' || i FROM n
                """)
            try transaction.run("INSERT INTO message_text (rowid, text) SELECT row, text FROM message")
            // Discard the cached sequence number, because the rows were inserted without
            // `MessageTable.reserveSequence`.
            transaction.connection.newestSequence = nil
        }
        let server = FakeNotificationServer()
        let queue = fixture.queue(server)
        fixture.collaborators.participate = { try queue.addWrites(to: $0) }
        let conversations = fixture.conversations(of: try fixture.accounts())
        try await running(queue.run) {
            let searching = Task { try await conversations.search(.init(words: "hello")) }
            let before = ReadLimit.now
            try fixture.accept(.reply(.sample("live", at: 9001), unread: 1, event: "e1"))
            try await eventually("the reply is shown") {
                server.shown.contains { $0.notification.body.contains("text of live") }
            }
            #expect(try await searching.value.messages.count == 50)
            let spent = ReadLimit.now - before
            #expect(spent < .milliseconds(60), "\(spent)")
        }
    }
}
