public import CutieAPI

/// An entry of the event log, which watchers read.
public struct LogEntry: Hashable, Sendable {
    /// The kind of event, as sent to watchers. Unknown kinds from a newer version are preserved.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let messageCreated = Kind("message.created")
        public static let conversationUpdated = Kind("conversation.updated")
        public static let conversationRead = Kind("conversation.read")
        /// The user opened a conversation. Not an event of the API.
        public static let conversationOpened = Kind("conversation.opened")
        public static let badge = Kind("badge")
        public static let deviceLinked = Kind("device.linked")
        public static let deviceUnlinked = Kind("device.unlinked")
        /// A connection, a pause, the notification setting, a question or the outbox changed. Watchers query
        /// the state again.
        public static let state = Kind("state")
        /// A user signed in to the account, or the existing session is valid again.
        public static let accountAuthenticated = Kind("account.authenticated")
        public static let accountUnauthenticated = Kind("account.unauthenticated")
        /// Access requests of apps and their results.
        public static let accessRequested = Kind("access.requested")
        public static let accessGranted = Kind("access.granted")
        public static let accessRefused = Kind("access.refused")
        public static let accessRevoked = Kind("access.revoked")
    }

    /// The unique number of the entry, which is never reused.
    public let sequence: Int64
    public let account: AccountID?
    public let kind: Kind
    public let at: Timestamp
    public let conversation: Conversation.ID?
    public let message: Message.ID?
    public let badgeTotal: Int?
    public let badgeUnread: Int?
    public let badgeConversation: Int?
    public let state: String?
    /// The data as JSON; `nil` if the entry has none.
    public let data: String?
}

/// The table of event-log entries.
public struct LogTable {
    let transaction: Transaction

    /// Appends an entry that is not about a new message.
    ///
    /// - Parameter data: the data as JSON.
    /// - Returns: the sequence number of the entry.
    @_spi(EventLog) @discardableResult
    public func append(
        _ kind: LogEntry.Kind, at time: Timestamp, account: AccountID? = nil,
        conversation: Conversation.ID? = nil,
        message: Message.ID? = nil, badgeTotal: Int? = nil, badgeUnread: Int? = nil,
        badgeConversation: Int? = nil, state: String? = nil, data: String? = nil
    ) throws -> Int64 {
        let sql = """
            INSERT INTO log (sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let sequence = try nextSequence()
        try transaction.run(sql) {
            $0.bind(sequence)
            $0.bind(account)
            $0.bind(kind.rawValue)
            $0.bind(time)
            $0.bind(conversation)
            $0.bind(message)
            $0.bind(badgeTotal)
            $0.bind(badgeUnread)
            $0.bind(badgeConversation)
            $0.bind(state)
            $0.bind(data)
        }
        return sequence
    }

    /// Appends the entry for a stored message. The row number of the message is the sequence number of the
    /// entry.
    @_spi(EventLog) public func append(
        messageInRow row: Int64, badgeTotal: Int?, badgeUnread: Int?, badgeConversation: Int?
    ) throws {
        let sql = """
            UPDATE message SET logged = 1, badge_total = ?, badge_unread = ?, badge_conversation = ?
            WHERE row = ?
            """
        try transaction.run(sql) {
            $0.bind(badgeTotal)
            $0.bind(badgeUnread)
            $0.bind(badgeConversation)
            $0.bind(row)
        }
    }

    /// Returns the entries after `sequence`, oldest first, at most `limit`. Sequence numbers have gaps: some
    /// messages have a sequence number but no entry, and the entry of a message is deleted with the message.
    public func fetchEntries(after sequence: Int64, limit: Int) throws -> [LogEntry] {
        let sql = """
            SELECT sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data FROM log_entry
            WHERE sequence >= MAX(?, (SELECT start FROM log_range)) ORDER BY sequence LIMIT ?
            """
        return try transaction.fetchAll(sql, [(sequence + 1).stored, limit.stored], LogEntry.init(_:))
    }

    /// Returns the newest sequence number, even if its entry was deleted; 0 if the event log never had an
    /// entry.
    public func lastSequence() throws -> Int64 {
        try transaction.fetchOne(Self.newestSequence) { $0.readInt64() } ?? 0
    }

    private static let newestSequence = """
        SELECT MAX(head, COALESCE((SELECT MAX(sequence) FROM log), 0),
        COALESCE((SELECT MAX(row) FROM message), 0)) FROM log_range
        """

    /// Returns the sequence number for the next entry or message, which the caller must insert before it
    /// calls this function again.
    @_spi(EventLog) public func nextSequence() throws -> Int64 {
        let next = try (transaction.connection.newestSequence ?? lastSequence()) + 1
        transaction.connection.newestSequence = next
        if next % MessageTable.block == 0 { try transaction.messages.closeIndexBlock(before: next) }
        return next
    }

    /// Returns whether a reader at `sequence` can continue without missing an entry; `false` if later entries
    /// were pruned, or if `sequence` is not from this log.
    public func isContiguous(after sequence: Int64) throws -> Bool {
        let start = try transaction.fetchOne("SELECT start FROM log_range") { $0.readInt64() } ?? 1
        return try (start - 1...max(start - 1, lastSequence())).contains(sequence)
    }
}

extension LogEntry {
    fileprivate init(_ row: inout ColumnReader) {
        sequence = row.readInt64()
        account = row.readOptionalAccount()
        kind = Kind(row.readText())
        at = row.readTime()
        conversation = row.readOptionalID()
        message = row.readOptionalID()
        badgeTotal = row.readOptionalInt()
        badgeUnread = row.readOptionalInt()
        badgeConversation = row.readOptionalInt()
        state = row.readOptionalText()
        data = row.readOptionalText()
    }
}

/// The table of processed event IDs. The ID of an event with a new message is stored with the message
/// instead.
public struct EventTable {
    let transaction: Transaction

    /// Returns whether the table contains the event. The ID may be stored with a message instead.
    public func contains(_ event: Event.ID, account: AccountID) throws -> Bool {
        try transaction.fetchOne(
            "SELECT 1 FROM seen_event WHERE account = ? AND event = ?", [account.stored, event.stored]
        ) { $0.readInt() } != nil
    }

    /// Stores the ID of an event; has no effect if the ID is already stored.
    ///
    /// - Parameter time: the time from which the age of the ID is measured for pruning.
    @_spi(EventLog) public func insert(_ event: Event.ID, account: AccountID, at time: Timestamp) throws {
        try transaction.run("INSERT OR IGNORE INTO seen_event (account, event, at) VALUES (?, ?, ?)") {
            $0.bind(account)
            $0.bind(event)
            $0.bind(time)
        }
    }
}
