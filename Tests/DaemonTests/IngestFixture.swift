import Config
import CutieAPI
import FeedPolicy
import Foundation
import Logging
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@_spi(EventLog) @testable import Store

/// A real message store with one account, and the `Ingest` that writes to it.
@MainActor
struct IngestFixture {
    let directory: TemporaryDirectory
    let time: ManualTime
    let store: MessageStore
    let ingest: Ingest
    /// The rules and the transaction participant of `ingest`. A test can replace the functions of the rules
    /// and of the participant.
    let collaborators = TestCollaborators()
    let housekeeping: Housekeeping
    let account: AccountID

    /// Creates a fixture whose event log contains one entry, for the opened account. `days`: the number of
    /// days for which history is kept; `nil` for no pruning.
    init(synced: Bool = true, _ flow: ManualTime.Flow = .brief, days: Int? = nil) throws {
        directory = try TemporaryDirectory()
        time = ManualTime(flow)
        let runtime = RuntimeEnvironment(time)
        let file = directory.path + "/cutied.db"
        try #require(
            FileManager.default.createFile(
                atPath: file, contents: Self.empty.get(), attributes: [.posixPermissions: 0o600]))
        // The timeout is short, because the test does not release its lock while the store waits for the
        // lock.
        store = try MessageStore.open(directory: directory.path, limits: StoreLimits(busyTimeout: 0.01)).store
        let clocks = ServerClocks(runtime)
        let writer = try LogWriter(store: store, runtime: runtime)
        let housekeeping = Housekeeping(
            log: writer, clocks: clocks, runtime: runtime, logger: .silent)
        housekeeping.historyDays = days ?? 0
        let oldestNews = { [housekeeping] account in
            days == nil ? Timestamp(milliseconds: 1) : housekeeping.retentionStart(for: account)
        }
        ingest = Ingest(
            writer: writer, clocks: clocks, runtime: runtime, rules: collaborators,
            participant: collaborators, members: { [collaborators] in try collaborators.members() },
            oldestNews: oldestNews)
        self.housekeeping = housekeeping
        account = try Self.open(store, ingest, synced: synced)
    }

    /// The file content of an empty, fully migrated database. Copying this content is faster than running the
    /// migrations in every test.
    private static let empty = Result {
        let directory = try TemporaryDirectory()
        try MessageStore.open(directory: directory.path).store.close()
        return try Data(contentsOf: URL(filePath: directory.path + "/cutied.db"))
    }

    private static func open(_ store: MessageStore, _ ingest: Ingest, synced: Bool) throws -> AccountID {
        let record = try store.write { transaction in
            let record = try transaction.accounts.findOrCreate(
                name: "default", appID: "app", apiURL: "https://a.example"
            ) {
                "device_1"
            }
            if synced { try transaction.accounts.setFirstSyncTime(.base, of: record.id) }
            try transaction.accounts.setUnreadCount(synced ? 0 : nil, of: record.id)
            return try transaction.accounts.find(record.id) ?? record
        }
        try ingest.setOpenAccounts([record.id: .user])
        return record.id
    }

    /// Returns a new `Ingest` for the same store, as after a restart of the daemon.
    func restarted() throws -> Ingest {
        let again = Ingest(
            writer: try LogWriter(store: store, runtime: runtime),
            clocks: ServerClocks(runtime), runtime: runtime, rules: TestCollaborators(),
            participant: nil, members: { [] }, oldestNews: { _ in Timestamp(milliseconds: 1) })
        try again.setOpenAccounts([account: .user])
        return again
    }

    func accept(_ events: Event...) throws { try ingest.apply(events, to: account, receivedOver: .stream) }

    var log: LogWriter { ingest.writer }

    var runtime: RuntimeEnvironment { RuntimeEnvironment(time) }

    var badge: Badge { ingest.badges[account] ?? Badge() }

    func pending() throws -> [Message.ID] {
        try store.read {
            try $0.messages.fetchPending(limit: 100) + $0.messages.fetchHeld(limit: 100)
        }
        .map(\.message.id)
    }

    /// Returns the ledger entries of a message. The message must be in a single conversation.
    func steps(of id: Message.ID) throws -> [LedgerEntry] {
        try store.read { transaction in
            guard let thread = try transaction.messages.find(id, account: account).first?.message.conversation
            else {
                return []
            }
            return try transaction.ledger.fetchSteps(of: id, in: thread, account: account)
        }
    }

    func logged(_ kind: LogEntry.Kind) throws -> [LogEntry] {
        try store.read { try $0.log.fetchEntries(after: 0, limit: 1000) }.filter { $0.kind == kind }
    }
}

/// The rules and the transaction participant of a fixture's `Ingest`. A test can replace their functions, for
/// example after it has created a queue.
@MainActor
final class TestCollaborators: ChangeRules, ChangeParticipant {
    var ignores: (Message, Conversation) -> Bool = { _, _ in false }
    var reminderDelay: Duration?
    var members: () throws -> [SharedInboxes.Member] = { [] }
    var participate: (AccountTransaction) throws -> (() -> Void)? = { _ in nil }

    func ignores(_ message: Message, in conversation: Conversation, of account: AccountID) -> Bool {
        ignores(message, conversation)
    }

    func reminderDelay(for perspective: Perspective) -> Duration? { reminderDelay }

    func addWrites(to change: AccountTransaction) throws -> (() -> Void)? { try participate(change) }
}

extension Timestamp {
    static let base = Timestamp(milliseconds: 1_780_000_000_000)

    static func base(plus seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: base.milliseconds + seconds * 1000)
    }
}

extension Message {
    static func sample(
        _ id: Message.ID, in conversation: Conversation.ID = "c", by sender: SenderType = .admin,
        at seconds: Int64, note: Bool = false
    ) -> Message {
        Message(
            id: id, conversation: conversation, senderType: sender, senderName: "Ann", text: "text of \(id)",
            isInternalNote: note, createdAt: .base(plus: seconds))
    }
}

extension Event {
    static func reply(_ message: Message, unread: Int?, of total: Int? = nil, event: Event.ID) -> Event {
        Event(
            id: event, createdAt: message.createdAt,
            payload: .messageCreated(
                MessageCreated(
                    conversationID: message.conversation, message: message, unreadCount: unread,
                    totalUnread: total, conversation: nil)))
    }

    static func read(_ conversation: Conversation.ID, leaving unread: Int, at seconds: Int64, event: Event.ID)
        -> Event
    {
        Event(
            id: event, createdAt: .base(plus: seconds),
            payload: .conversationRead(
                ConversationRead(conversationID: conversation, unreadCount: unread, totalUnread: nil)))
    }
}

extension Conversation {
    static func sample(_ id: Conversation.ID, unread: Int?, at seconds: Int64, _ messages: [Message] = [])
        -> Conversation
    {
        var conversation = Conversation(id: id)
        conversation.unreadCount = unread
        conversation.updatedAt = .base(plus: seconds)
        conversation.messages = messages
        conversation.messageCount = messages.count
        return conversation
    }
}
