public import CutieAPI

/// An entry in the event log, from which watchers receive changes.
public struct LogEntry: Hashable, Sendable {
    /// The type of a log entry, as sent to watchers. An unknown type from a newer version is preserved.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let messageCreated = Kind("message.created")
        public static let conversationUpdated = Kind("conversation.updated")
        public static let conversationRead = Kind("conversation.read")
        /// The user opened a conversation. The opening of a conversation is a local event, not an event from
        /// the API.
        public static let conversationOpened = Kind("conversation.opened")
        public static let badge = Kind("badge")
        public static let deviceLinked = Kind("device.linked")
        public static let deviceUnlinked = Kind("device.unlinked")
        /// The connection, the pause, the notification setting, a question or the outbox changed. Watchers
        /// must query the new state.
        public static let state = Kind("state")
        /// A user signed in, or the existing session became valid again.
        public static let accountAuthenticated = Kind("account.authenticated")
        public static let accountUnauthenticated = Kind("account.unauthenticated")
        /// The types of entries about the access requests of apps: a request, and the possible results.
        public static let accessRequested = Kind("access.requested")
        public static let accessGranted = Kind("access.granted")
        public static let accessRefused = Kind("access.refused")
        public static let accessRevoked = Kind("access.revoked")
    }

    /// The sequence number of the entry, which is never reused.
    public let sequence: Int64
    public let account: AccountID?
    public let kind: Kind
    public let loggedAt: Timestamp
    public let conversation: Conversation.ID?
    public let message: Message.ID?
    public let badgeTotal: Int?
    public let badgeUnread: Int?
    public let badgeConversation: Int?
    public let state: String?
    /// Additional data as JSON; `nil` if the entry has no data.
    public let data: String?
}

/// The table of event-log entries.
public struct LogTable {
    let transaction: Transaction

    /// Appends an entry for anything except a new message.
    ///
    /// - Parameter data: additional data as JSON.
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
        let sequence = try transaction.messages.reserveSequence()
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

    /// Appends the entry for a new message. The sequence number of the entry is the row number of the
    /// message.
    @_spi(EventLog) public func appendMessage(
        inRow row: Int64, badgeTotal: Int?, badgeUnread: Int?, badgeConversation: Int?
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

    /// Returns up to `limit` entries after `sequence`, oldest first. Sequence numbers have gaps: some
    /// messages have no entry, and pruning a message deletes its entry.
    public func fetchEntries(after sequence: Int64, limit: Int) throws -> [LogEntry] {
        let sql = """
            SELECT sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data FROM log_entry
            WHERE sequence >= MAX(?, (SELECT start FROM log_range)) ORDER BY sequence LIMIT ?
            """
        return try transaction.fetchAll(sql, [(sequence + 1).stored, limit.stored], LogEntry.init(_:))
    }

    /// Returns the newest sequence number, even if its entry was deleted; 0 if the log was never used.
    public func fetchLastSequence() throws -> Int64 {
        try transaction.fetchOne(Self.newestSequence) { $0.readInt64() } ?? 0
    }

    private static let newestSequence = """
        SELECT MAX(head, COALESCE((SELECT MAX(sequence) FROM log), 0),
        COALESCE((SELECT MAX(row) FROM message), 0)) FROM log_range
        """

    /// Returns whether a reader at `sequence` can continue without missing an entry. Returns `false` if later
    /// entries were pruned, or if `sequence` belongs to another log.
    public func isContiguous(after sequence: Int64) throws -> Bool {
        let start = try transaction.fetchOne("SELECT start FROM log_range") { $0.readInt64() } ?? 1
        return try (start - 1...max(start - 1, fetchLastSequence())).contains(sequence)
    }
}

extension LogEntry {
    fileprivate init(_ row: inout ColumnReader) {
        sequence = row.readInt64()
        account = row.readOptionalAccountID()
        kind = Kind(row.readText())
        loggedAt = row.readTime()
        conversation = row.readOptionalID()
        message = row.readOptionalID()
        badgeTotal = row.readOptionalInt()
        badgeUnread = row.readOptionalInt()
        badgeConversation = row.readOptionalInt()
        state = row.readOptionalText()
        data = row.readOptionalText()
    }
}

/// The table of processed event IDs. The ID of an event with a new message is not in this table, but is
/// stored with the message.
public struct EventTable {
    let transaction: Transaction

    /// Returns whether the table contains the event ID. Does not find events with a new message.
    public func contains(_ event: Event.ID, account: AccountID) throws -> Bool {
        try transaction.fetchOne(
            "SELECT 1 FROM seen_event WHERE account = ? AND event = ?", [account.stored, event.stored]
        ) { $0.readInt() } != nil
    }

    /// Stores the ID of an event. Has no effect if the ID is already stored.
    ///
    /// - Parameter time: the time that determines when the ID is pruned.
    @_spi(EventLog) public func insert(_ event: Event.ID, account: AccountID, at time: Timestamp) throws {
        try transaction.run("INSERT OR IGNORE INTO seen_event (account, event, at) VALUES (?, ?, ?)") {
            $0.bind(account)
            $0.bind(event)
            $0.bind(time)
        }
    }
}
