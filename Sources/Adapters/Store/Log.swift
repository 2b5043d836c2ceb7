public import CutieAPI

/// An entry of the event log, which watchers read.
public struct LogEntry: Hashable, Sendable {
    /// The kind of event, as sent to watchers. Kinds written by a newer version are preserved.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let messageCreated = Kind("message.created")
        public static let conversationUpdated = Kind("conversation.updated")
        public static let conversationRead = Kind("conversation.read")
        public static let badge = Kind("badge")
        public static let deviceLinked = Kind("device.linked")
        public static let deviceUnlinked = Kind("device.unlinked")
        /// A change of a connection, a pause, the switch, a question or the outbox. Watchers read the state
        /// again.
        public static let state = Kind("state")
        /// A user signed in to the account, or the existing sign-in is valid again.
        public static let accountAuthenticated = Kind("account.authenticated")
        public static let accountUnauthenticated = Kind("account.unauthenticated")
        /// Access requests of apps and their results.
        public static let accessRequested = Kind("access.requested")
        public static let accessGranted = Kind("access.granted")
        public static let accessRefused = Kind("access.refused")
        public static let accessRevoked = Kind("access.revoked")
    }

    /// Unique, and never reused.
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
    /// JSON.
    public let data: String?
}

/// The event log, in order.
public struct LogTable {
    let transaction: Transaction

    /// Appends an entry.
    ///
    /// - Parameter data: JSON.
    /// - Returns: the sequence of the entry.
    @_spi(Log) @discardableResult
    public func append(
        _ kind: LogEntry.Kind, at time: Timestamp, account: AccountID? = nil,
        conversation: Conversation.ID? = nil,
        message: Message.ID? = nil, badgeTotal: Int? = nil, badgeUnread: Int? = nil,
        badgeConversation: Int? = nil, state: String? = nil, data: String? = nil
    ) throws -> Int64 {
        let sql = """
            INSERT INTO log (account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try transaction.run(sql) {
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
        return transaction.lastRow
    }

    /// Returns the entries after `sequence`, oldest first, at most `limit`.
    public func entries(after sequence: Int64, limit: Int) throws -> [LogEntry] {
        let sql = """
            SELECT sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        return try transaction.all(sql, [sequence.stored, limit.stored], LogEntry.init(_:))
    }

    /// Returns the sequence of the newest entry, even if that entry was pruned; 0 before the first entry.
    public func head() throws -> Int64 {
        try transaction.first("SELECT seq FROM sqlite_sequence WHERE name = 'log'") { $0.int64() } ?? 0
    }

    /// Returns the sequence of the oldest stored entry; `nil` if the log is empty.
    public func oldest() throws -> Int64? {
        try transaction.first("SELECT MIN(sequence) FROM log") { $0.optionalInt64() } ?? nil
    }

    /// Returns whether a reader at `sequence` can continue without missing an entry. The result is `false` if
    /// following entries were pruned, or if this log never issued the sequence.
    public func continues(after sequence: Int64) throws -> Bool {
        let head = try head()
        let oldest = try oldest() ?? head + 1
        return (oldest - 1...head).contains(sequence)
    }
}

extension LogEntry {
    fileprivate init(_ row: inout ColumnReader) {
        sequence = row.int64()
        account = row.optionalAccount()
        kind = Kind(row.text())
        at = row.time()
        conversation = row.optionalID()
        message = row.optionalID()
        badgeTotal = row.optionalInt()
        badgeUnread = row.optionalInt()
        badgeConversation = row.optionalInt()
        state = row.optionalText()
        data = row.optionalText()
    }
}

/// The ids of the processed events.
public struct EventTable {
    let transaction: Transaction

    /// Stores an event's id.
    ///
    /// - Parameter time: the time from which the id's age is calculated for pruning.
    /// - Returns: `false` if the id was already stored.
    @_spi(Log) @discardableResult
    public func insert(_ event: Event.ID, account: AccountID, at time: Timestamp) throws -> Bool {
        try transaction.run("INSERT OR IGNORE INTO seen_event (account, event, at) VALUES (?, ?, ?)") {
            $0.bind(account)
            $0.bind(event)
            $0.bind(time)
        }
        return transaction.changes > 0
    }
}
