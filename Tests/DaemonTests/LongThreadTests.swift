import Config
import ControlAPI
import CutieAPI
import Desktop
import FeedPolicy
import Foundation
import Glibc
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

/// Conversations and histories with thousands of messages do not delay replies.
@MainActor
struct LongThreadTests {
    private static let length = 600
    private let desk: Desk

    init() throws { desk = try Desk() }

    /// A thread of `length` messages, of which every fourth is the user's own.
    private static func thread(unread: Int?, _ messages: Range<Int> = 0..<length) -> Conversation {
        .sample(
            "c", unread: unread, at: 9000,
            messages.map {
                .sample(.init("m\($0)"), by: $0.isMultiple(of: 4) ? .user : .admin, at: Int64($0))
            })
    }

    private static func apply(
        _ thread: Conversation, to desk: Desk, of account: AccountID? = nil, first: Bool = false
    ) async throws {
        try await desk.ingest.applyFetchedInSlices(
            thread, listed: thread, account: account ?? desk.account, isFirstSync: first)
    }

    private static func storedMessages(_ desk: Desk, in conversation: String = "c") throws -> Int {
        try desk.store.read {
            try $0.count("SELECT COUNT(*) FROM message WHERE conversation = ?", [conversation.stored])
        }
    }

    @Test func `A reply elsewhere is shown while a long thread is being stored`() async throws {
        let server = FakePopupServer()
        let announcer = desk.announcer(server)
        desk.ingest.additionalWork = { try announcer.announce($0) }
        // The reply is shown after some turns of the main actor, in each of which a slice may be stored.
        let length = 20 * FetchedMessages.slice
        let storing = Task { try await Self.apply(Self.thread(unread: 0, 0..<length), to: desk) }
        try await running(announcer.run) {
            while try Self.storedMessages(desk) == 0 { await EventLoop.shared.yield() }
            try desk.accept(
                .reply(.sample("other", in: "d", at: 9001), unread: 1, event: "e1"))
            while !server.shown.contains(where: { $0.popup.body.contains("text of other") }) {
                await EventLoop.shared.yield()
            }
            #expect(try Self.storedMessages(desk) < length)
            try await storing.value
        }
        #expect(try Self.storedMessages(desk) == length)
        #expect(desk.badge == Badge(total: 1, unread: 1))
    }

    /// The result must not depend on the slices.
    @Test(
        arguments: [
            (nil, 0, true), (nil, 0, false), (0, 0, true), (0, 10, false), (1, 10, false), (3, 0, true),
            (300, 0, true), (300, 10, false), (nil, 10, false), (440, 0, false),
        ] as [(Int?, Int, Bool)])
    func `A thread that is stored in slices is as if it were stored at once`(
        unread: Int?, known: Int, first: Bool
    ) async throws {
        let other = try Desk(synced: !first)
        let sliced = try Desk(synced: !first)
        for desk in [other, sliced] where known > 0 {
            let part = Self.thread(unread: 5, 0..<known)
            try desk.ingest.applyFetched(part, listed: part, account: desk.account, isFirstSync: first)
        }
        let thread = Self.thread(unread: unread)
        try other.ingest.applyFetched(thread, listed: thread, account: other.account, isFirstSync: first)
        try await Self.apply(thread, to: sliced, first: first)
        for desk in [other, sliced] {
            _ = try desk.ingest.finishPoll(of: desk.account, totalUnread: nil, isFirstSync: first)
        }
        #expect(sliced.badge == other.badge)
        try Self.expectEqual(sliced, other) { try $0.ingest.conversation("c", of: $0.account)?.unread }
        try Self.expectEqual(sliced, other) { try $0.ingest.conversation("c", of: $0.account)?.sinceClear }
        try Self.expectEqual(sliced, other) { try $0.ingest.conversation("c", of: $0.account)?.polled }
        try Self.expectEqual(sliced, other) { try $0.ingest.conversation("c", of: $0.account)?.lastMessage }
        for columns in ["id", "pending > 0", "stage", "stored_detail", "logged"] {
            try Self.expectEqual(sliced, other) {
                try $0.store.read {
                    try $0.all("SELECT \(columns) FROM message ORDER BY row") { $0.optionalText() ?? "" }
                }
            }
        }
    }

    private static func expectEqual<Value: Equatable>(
        _ one: Desk, _ other: Desk, _ value: (Desk) throws -> Value,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        let (first, second) = (try value(one), try value(other))
        #expect(first == second, sourceLocation: place)
    }

    @Test func `An event about the thread waits until it is stored, so that its reply stays the newest`()
        async throws
    {
        let unit = try desk.unit()
        let account = unit.account.id
        let storing = Task { try await Self.apply(Self.thread(unread: 0), to: desk, of: account) }
        while try Self.storedMessages(desk) == 0 { await EventLoop.shared.yield() }
        try await unit.feed.synchronizer.accept(
            [.reply(.sample("live", at: 9001), unread: 1, event: "e1")], by: .stream)
        #expect(try Self.storedMessages(desk) == Self.length + 1)
        try await storing.value
        let record = try #require(try desk.ingest.conversation("c", of: account))
        #expect(record.lastMessage == "text of live" && record.unread == 1)
        #expect(try desk.pending() == ["live"])
    }

    @Test func `A thread whose storing was interrupted is completed by the next poll`() async throws {
        let thread = Self.thread(unread: 2)
        var desk = desk
        var storing = Task { [desk] in try await Self.apply(thread, to: desk) }
        // The test may get its turn only after the last slice. It then tries again with another database.
        for _ in 0..<100 {
            while try Self.storedMessages(desk) == 0 { await EventLoop.shared.yield() }
            if try Self.storedMessages(desk) < Self.length { break }
            try await storing.value
            desk = try Desk()
            storing = Task { [desk] in try await Self.apply(thread, to: desk) }
        }
        try desk.ingest.open(only: [:])
        await #expect(throws: CancellationError.self) { try await storing.value }
        #expect(try (1..<Self.length).contains(Self.storedMessages(desk)))
        try desk.ingest.open(only: [desk.account: .person])
        #expect(try desk.ingest.conversation("c", of: desk.account)?.polled == nil)
        try await Self.apply(thread, to: desk)
        #expect(try Self.storedMessages(desk) == Self.length)
        #expect(try desk.pending() == ["m598", "m599"])
        #expect(desk.badge == Badge(total: 2, unread: 2))
    }

    /// Processor time, because the time on a clock depends on what else the machine does.
    @Test func `A search for a word in each of 200 000 messages leaves the main actor to replies`() async {
        await #expect(processExitsWith: .success) { try await Self.searchWhileRepliesArrive() }
    }

    private static func searchWhileRepliesArrive() async throws {
        let desk = try Desk()
        try desk.store.write { transaction in
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
                INSERT INTO message (row, account, id, conversation, created_at, sequence, stage, pending,
                sender_type, type, text)
                SELECT 100 + i, \(desk.account.rawValue), 'm' || i, 'c' || (i % 1000), i, 100 + i, 5, 0, 'admin', 'text',
                'hello number' || i FROM n
                """)
            try transaction.run("INSERT INTO message_text (rowid, text) SELECT row, text FROM message")
        }
        let server = FakePopupServer()
        let announcer = desk.announcer(server)
        desk.ingest.additionalWork = { try announcer.announce($0) }
        let conversations = desk.conversations(of: try desk.accounts())
        try await running(announcer.run) {
            let searching = Task { try await conversations.search(.init(words: "hello")) }
            let before = ReadLimit.now
            try desk.accept(.reply(.sample("live", at: 9001), unread: 1, event: "e1"))
            try await eventually("the reply is shown") {
                server.shown.contains { $0.popup.body.contains("text of live") }
            }
            #expect(try await searching.value.messages.count == 50)
            let spent = ReadLimit.now - before
            #expect(spent < .milliseconds(60), "\(spent)")
        }
    }
}
