public import CutieAPI

public struct MessageRecord: Hashable, Sendable {
    public let account: AccountID
    public let message: Message
    /// The row number of the message, which increases in the order of receipt and is never reused.
    public let row: Int64
    /// The sequence number of the message's log entry. The number is equal to `row`, except for messages from
    /// earlier versions.
    public let sequence: Int64
    public let stage: LedgerStage
    /// Whether the daemon must still notify the user of the message.
    public let pending: Bool
    /// Whether the user of the account sent the message. In a staff account: whether any support staff or the
    /// system sent the message.
    public let isOwn: Bool
    /// Whether the message is an internal note, which only support staff may read.
    public let isNote: Bool

    public init(
        account: AccountID, message: Message, row: Int64, sequence: Int64, stage: LedgerStage, pending: Bool,
        isOwn: Bool = false, isNote: Bool = false
    ) {
        self.account = account
        self.message = message
        self.row = row
        self.sequence = sequence
        self.stage = stage
        self.pending = pending
        self.isOwn = isOwn
        self.isNote = isNote
    }

    /// Whether the message is a reply, which counts as unread: a message that is neither an own message nor a
    /// note.
    public var isReply: Bool { !isOwn && !isNote }
}

extension MessageRecord {
    /// The columns of the table `message`, with the alias m.
    static let columns = """
        m.account, m.row, m.sequence, m.stage, m.pending, m.is_own, m.is_note, m.id, m.conversation, m.sender_type, m.sender_id, \
        m.sender_name, m.sender_avatar_url, m.text, m.type, m.created_at
        """

    init(_ row: inout ColumnReader) {
        account = row.readAccountID()
        self.row = row.readInt64()
        sequence = row.readInt64()
        stage = LedgerStage(code: row.readInt64())
        pending = row.readFlag()
        isOwn = row.readFlag()
        isNote = row.readFlag()
        message = Message(
            id: row.readID(), conversation: row.readID(), senderType: SenderType(row.readText()),
            senderID: row.readOptionalText(), senderName: row.readOptionalText(),
            senderAvatarURL: row.readOptionalText(), text: row.readText(), type: row.readText(),
            createdAt: row.readTime()
        )
    }
}

/// A message to insert, with its log entry and its first ledger steps. This type is a class because copying a
/// struct with many strings would be slow.
@_spi(EventLog) public final class MessageRow {
    /// The badge counts in the log entry of a message.
    public struct LogCounts {
        let badgeTotal: Int?
        let badgeUnread: Int?
        let badgeConversation: Int?

        public init(badgeTotal: Int?, badgeUnread: Int?, badgeConversation: Int?) {
            (self.badgeTotal, self.badgeUnread) = (badgeTotal, badgeUnread)
            self.badgeConversation = badgeConversation
        }
    }

    let message: Message
    /// The row number of the new message, from `MessageTable.reserveSequence`.
    public let row: Int64
    let account: AccountID
    let event: Event.ID?
    let isOwn: Bool
    let isNote: Bool
    let stage: LedgerStage
    let reason: LedgerEntry.StepReason?
    let detail: String?
    let pending: Bool
    let storedAt: Timestamp
    /// The log entry of the message; `nil` if the message is not logged.
    public var entry: LogCounts?
    /// The time of the ledger step `announcing`; `nil` if the message has no such step.
    public var announcedAt: Timestamp?

    public init(
        _ message: Message, row: Int64, account: AccountID, event: Event.ID?, isOwn: Bool, isNote: Bool,
        stage: LedgerStage, reason: LedgerEntry.StepReason?, detail: String?, pending: Bool,
        at time: Timestamp
    ) {
        (self.message, self.row, self.account, self.event) = (message, row, account, event)
        (self.isOwn, self.isNote, self.stage) = (isOwn, isNote, stage)
        (self.reason, self.detail, self.pending, storedAt) = (reason, detail, pending, time)
    }
}

/// The table of messages, and the table of all message IDs ever stored.
public struct MessageTable {
    let transaction: Transaction

    /// Returns whether a message with this ID was ever stored, even if the message was pruned.
    ///
    /// - Parameter conversation: the conversation; `nil` to search all conversations.
    public func wasEverStored(
        _ message: Message.ID, in conversation: Conversation.ID?, account: AccountID
    ) throws -> Bool {
        if let conversation { return try findRow(of: message, in: conversation, account: account) != nil }
        return try transaction.fetchOne(
            "SELECT 1 FROM seen_message WHERE account = ? AND message = ?",
            [account.stored, message.stored]
        ) { $0.readInt() } != nil
    }

    /// Returns whether a known message came from this event. Also returns `true` if the message was pruned.
    @_spi(EventLog) public func isMessage(
        _ message: Message.ID, in conversation: Conversation.ID, account: AccountID, fromEvent event: Event.ID
    ) throws -> Bool {
        guard let row = try findRow(of: message, in: conversation, account: account) else { return false }
        let sql = "SELECT event FROM message WHERE row = ?"
        guard let stored: Event.ID? = try transaction.fetchOne(sql, [row.stored], { $0.readOptionalID() })
        else {
            return true
        }
        return stored == event
    }

    /// Stores a message and its first ledger step, `stage`. Has no effect if a message with this ID was
    /// already stored in the conversation.
    ///
    /// - Parameter event: the event that contains the message; `nil` if the message was fetched.
    /// - Returns: the row number; `nil` if the message is already known.
    @_spi(EventLog) @discardableResult
    public func insert(
        _ message: Message, account: AccountID, event: Event.ID? = nil, isOwn: Bool, isNote: Bool,
        stage: LedgerStage, reason: LedgerEntry.StepReason? = nil, detail: String? = nil, isPending: Bool,
        at time: Timestamp
    ) throws -> Int64? {
        guard try findRow(of: message.id, in: message.conversation, account: account) == nil else {
            return nil
        }
        let row = try reserveSequence()
        try insert(
            MessageRow(
                message, row: row, account: account, event: event, isOwn: isOwn, isNote: isNote, stage: stage,
                reason: reason, detail: detail, pending: isPending, at: time))
        return row
    }

    /// Stores a message. The caller must know that the message is new.
    @_spi(EventLog) public func insert(_ newRow: MessageRow) throws {
        // Bind from the object, because a local copy of the message would retain each of its strings.
        try transaction.run(Self.insertMessage) {
            $0.bind(newRow.row)
            $0.bind(newRow.account)
            $0.bind(newRow.message.id)
            $0.bind(newRow.message.conversation)
            $0.bind(newRow.message.createdAt)
            $0.bind(newRow.row)
            $0.bind(newRow.stage)
            $0.bind(newRow.pending ? newRow.stage == .held ? 1 : Self.recent : 0)
            $0.bind(newRow.isOwn)
            $0.bind(newRow.isNote)
            $0.bind(newRow.message.senderType.rawValue)
            $0.bind(newRow.message.senderID)
            $0.bind(newRow.message.senderName)
            $0.bind(newRow.message.senderAvatarURL)
            $0.bind(newRow.message.type)
            $0.bind(newRow.message.text)
            $0.bind(newRow.storedAt)
            $0.bind(newRow.stage)
            $0.bind(newRow.reason?.rawValue)
            $0.bind(newRow.detail)
            $0.bind(newRow.event)
            $0.bind(newRow.entry != nil)
            $0.bind(newRow.entry?.badgeTotal)
            $0.bind(newRow.entry?.badgeUnread)
            $0.bind(newRow.entry?.badgeConversation)
            $0.bind(newRow.announcedAt)
        }
        try transaction.run(
            "INSERT INTO seen_message (account, message, conversation, row) VALUES (?, ?, ?, ?)"
        ) {
            $0.bind(newRow.account)
            $0.bind(newRow.message.id)
            $0.bind(newRow.message.conversation)
            $0.bind(newRow.row)
        }
    }

    /// The number of sequence numbers in a block. When a block is complete, all its messages are added to the
    /// full-text index in one batch, and its pending messages to the index `message_fresh`.
    static let block: Int64 = 256
    /// The value of the column `pending` for a new message that is not held. The indexes of pending messages
    /// contain only the value 1. Most replies are shown immediately, and adding each reply to an index and
    /// removing it would write two pages, so `fetchPending(limit:)` finds new messages by row number.
    private static let recent: Int64 = 2

    /// Returns the row number of the next message or the sequence number of the next log entry: messages and
    /// entries share one sequence. The caller must insert the message or entry before the next call.
    @_spi(EventLog) public func reserveSequence() throws -> Int64 {
        let next = try (transaction.connection.newestSequence ?? transaction.log.fetchLastSequence()) + 1
        transaction.connection.newestSequence = next
        if next % Self.block == 0 { try indexBlock(before: next) }
        return next
    }

    /// Adds the messages of the block before `row` to the indexes.
    private func indexBlock(before row: Int64) throws {
        try transaction.fullText.updateIndex()
        try transaction.run(
            "UPDATE message SET pending = 1 WHERE row >= ? AND row < ? AND pending = \(Self.recent)",
            [(row - Self.block).stored, row.stored])
    }

    private static let insertMessage = """
        INSERT INTO message (row, account, id, conversation, created_at, sequence, stage, pending, is_own,
        is_note, sender_type, sender_id, sender_name, sender_avatar_url, type, text, stored_at, stored_stage,
        stored_reason, stored_detail, event, logged, badge_total, badge_unread, badge_conversation,
        announced_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Returns all stored messages with this ID. There may be more than one, in different accounts or
    /// conversations.
    public func find(
        _ id: Message.ID, in conversation: Conversation.ID? = nil, account: AccountID? = nil
    ) throws -> [MessageRecord] {
        let accounts =
            try account.map { [$0] }
            ?? transaction.fetchAll("SELECT id FROM account ORDER BY id") { $0.readAccountID() }
        let sql = """
            SELECT \(MessageRecord.columns) FROM seen_message AS s JOIN message AS m ON m.row = s.row
            WHERE s.account = ? AND s.message = ?
            """
        let found = try accounts.flatMap {
            try transaction.fetchAll(sql, [$0.stored, id.stored], MessageRecord.init(_:))
        }
        guard let conversation else { return found }
        return found.filter { $0.message.conversation == conversation }
    }

    /// Returns the newest messages of a conversation in chronological order, at most `limit`.
    public func fetchNewest(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil
    ) throws -> [MessageRecord] {
        var newestFirst: [MessageRecord] = []
        try forEachMessage(in: conversation, account: account, limit: limit) {
            newestFirst.append($0)
            return true
        }
        return newestFirst.reversed()
    }

    /// Calls `body` with the newest messages of a conversation, newest first, until `body` returns `false` or
    /// `limit` is reached.
    public func forEachMessage(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil,
        _ body: (MessageRecord) throws -> Bool
    ) throws {
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m WHERE account = ? AND conversation = ?
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?
            """
        try transaction.forEachRow(
            sql, [account.stored, conversation.stored, (limit ?? -1).stored],
            decoding: MessageRecord.init(_:), perform: body)
    }

    /// Returns the position of a message in the order of receipt; `nil` if no such message was ever stored.
    public func findPosition(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        try findRow(of: message, in: conversation, account: account)
    }

    /// Returns the row number of a message, which is the same in all tables of messages; `nil` if no such
    /// message was ever stored.
    func findRow(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        // The plus sign keeps SQLite from using the index for the conversation: few rows have the same
        // message ID, so comparing these rows is faster than an index lookup per conversation.
        try transaction.fetchOne(
            "SELECT row FROM seen_message WHERE account = ? AND message = ? AND +conversation IN (?, '')",
            binding: {
                $0.bind(account)
                $0.bind(message)
                $0.bind(conversation)
            }
        ) { $0.readInt64() }
    }

    /// Returns the pending messages that are not held, in the order of receipt.
    public func fetchPending(limit: Int) throws -> [MessageRecord] {
        let indexed = try transaction.fetchAll(
            Self.makePendingQuery(heldStageComparison: "<>"), [limit.stored, 0.stored], MessageRecord.init(_:)
        )
        let recent = try transaction.fetchAll(Self.recentlyInserted, [limit.stored], MessageRecord.init(_:))
        return Array((indexed + recent).sorted { $0.row < $1.row }.prefix(limit))
    }

    /// Returns the held messages in the order of receipt. Held messages have a separate query, so that a
    /// large number of them does not slow down `fetchPending(limit:)`.
    ///
    /// - Parameter skipped: the number of messages to skip.
    public func fetchHeld(limit: Int, skipping skipped: Int = 0) throws -> [MessageRecord] {
        try transaction.fetchAll(
            Self.makePendingQuery(heldStageComparison: "="), [limit.stored, skipped.stored],
            MessageRecord.init(_:))
    }

    /// Returns a query for pending messages that are held (`=`) or not held (`<>`). The query contains the
    /// stage as a literal, because SQLite uses the partial index only for a literal.
    private static func makePendingQuery(heldStageComparison comparison: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM message AS m
        WHERE pending = 1 AND stage \(comparison) \(LedgerStage.held.code) ORDER BY sequence, row LIMIT ? OFFSET ?
        """
    }

    private static let recentlyInserted = """
        SELECT \(MessageRecord.columns) FROM message AS m
        WHERE row >= (SELECT MAX(row) FROM message) / \(block) * \(block) AND pending = \(recent)
        ORDER BY row LIMIT ?
        """
}
