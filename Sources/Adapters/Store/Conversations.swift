public import CutieAPI

/// A stored conversation: the data from the server, and local counts.
public struct ConversationRecord: Hashable, Sendable {
    public var account: AccountID
    /// The conversation without its messages, which are stored separately.
    public var conversation: Conversation
    /// The number of unread replies according to local data.
    public var unread: Int
    /// The number of replies received since the badge was last cleared.
    public var sinceClear: Int
    /// The server time of the data in `conversation`.
    public var serverTime: Timestamp?
    /// The data at the last poll; `nil` if the conversation was never polled.
    public var lastPoll: PollSnapshot?
    /// The start of the newest message, at most 200 characters.
    public var lastMessage: String?
    /// The time of the newest message; `nil` if no message is stored.
    public var lastMessageAt: Timestamp?
    /// The sender of the newest message that is neither a note nor a system message; `nil` if no such message
    /// is stored.
    public var lastSender: SenderType?
    /// The sequence number of the newest log entry about this conversation.
    public var newestSequence: Int64
    /// The marks of the user. `save` does not store them.
    public var marks = ConversationMarks()

    public init(
        account: AccountID, conversation: Conversation, unread: Int = 0, sinceClear: Int = 0,
        serverTime: Timestamp? = nil, lastPoll: PollSnapshot? = nil, lastMessage: String? = nil,
        lastMessageAt: Timestamp? = nil, lastSender: SenderType? = nil, newestSequence: Int64 = 0
    ) {
        self.account = account
        self.conversation = conversation
        self.unread = unread
        self.sinceClear = sinceClear
        self.serverTime = serverTime
        self.lastPoll = lastPoll
        self.lastMessage = lastMessage
        self.lastMessageAt = lastMessageAt
        self.lastSender = lastSender
        self.newestSequence = newestSequence
    }

    /// The number of replies that the badge shows: replies that are unread and that arrived since the badge
    /// was last cleared.
    public var badge: Int { max(0, min(unread, sinceClear)) }
}

/// The fields that a poll compares to detect whether a conversation changed.
public struct PollSnapshot: Hashable, Sendable {
    public var updatedAt: Timestamp?
    public var unreadCount: Int?
    public var messageCount: Int?

    public init(updatedAt: Timestamp?, unreadCount: Int?, messageCount: Int?) {
        self.updatedAt = updatedAt
        self.unreadCount = unreadCount
        self.messageCount = messageCount
    }
}

/// The table of conversations.
public struct ConversationTable {
    let transaction: Transaction

    public func find(_ id: Conversation.ID, account: AccountID) throws -> ConversationRecord? {
        try transaction.fetchOne(
            Self.selectConversation,
            binding: {
                $0.bind(account)
                $0.bind(id)
            }, ConversationRecord.init(_:))
    }

    private static let selectConversation = """
        SELECT \(ConversationRecord.selected) FROM conversation WHERE account = ? AND id = ?
        """

    /// Returns up to `limit` conversations, the conversation with the newest message first.
    public func fetchAll(
        account: AccountID? = nil, unreadOnly: Bool = false, mutedOnly: Bool = false,
        snoozedOnly: Bool = false, limit: Int? = nil
    ) throws -> [ConversationRecord] {
        var terms: [String] = []
        if unreadOnly { terms.append("(unread > 0 OR \(ConversationMarks.isUnread))") }
        if mutedOnly { terms.append(ConversationMarks.isMuted) }
        if snoozedOnly { terms.append(ConversationMarks.isSnoozed) }
        if account != nil { terms.append("account = ?") }
        let condition = terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
        // Few conversations match these filters, so sorting the matches is faster than scanning the index of
        // all conversations.
        let index = unreadOnly || mutedOnly || snoozedOnly ? "NOT INDEXED" : "INDEXED BY conversation_newest"
        let sql = """
            SELECT \(ConversationRecord.selected) FROM conversation \(index) \(condition)
            ORDER BY sort_at DESC, account DESC, id DESC LIMIT ?
            """
        let bound: Values = account.map { [$0.stored] } ?? []
        return try transaction.fetchAll(sql, bound + [(limit ?? -1).stored], ConversationRecord.init(_:))
    }

    /// Returns the IDs of an account's conversations that are neither resolved nor closed.
    public func fetchOpenIDs(of account: AccountID) throws -> [Conversation.ID] {
        try transaction.fetchAll(
            "SELECT id FROM conversation WHERE account = ? AND status NOT IN ('resolved', 'closed')",
            [account.stored]
        ) { $0.readID() }
    }

    /// Inserts or replaces a conversation. Ignores `conversation.messages`.
    ///
    /// - Parameter before: the stored record if the caller has just read it; otherwise `nil`.
    @_spi(EventLog) public func save(_ record: ConversationRecord, previous before: ConversationRecord? = nil)
        throws
    {
        if let before, record.differsOnlyInReplyValues(from: before) {
            try transaction.run(Self.updateConversation) { $0.bindUpdate(of: record) }
        } else {
            try transaction.run(Self.saveConversation, record.values)
        }
    }

    private static let updateConversation = """
        UPDATE conversation SET unread = ?, since_clear = ?, updated_at = ?, last_message = ?,
        newest_sequence = ?, last_message_at = ?, last_sender = ?, sort_at = ? WHERE account = ? AND id = ?
        """

    private static let saveConversation = """
        REPLACE INTO conversation (\(ConversationRecord.columns), sort_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Returns the distinct app names in the newest 100 conversations of an account.
    public func fetchAppNames(of account: AccountID) throws -> [String] {
        let sql = """
            SELECT DISTINCT app_name FROM (SELECT app_name FROM conversation INDEXED BY conversation_newest
            WHERE account = ? ORDER BY sort_at DESC LIMIT 100) WHERE app_name IS NOT NULL
            """
        return try transaction.fetchAll(sql, [account.stored]) { $0.readText() }
    }

    /// Returns the accounts that contain a conversation with this ID. Several accounts may contain the same
    /// ID.
    public func fetchAccounts(containing conversation: Conversation.ID) throws -> [AccountID] {
        let sql = """
            SELECT id FROM account AS a WHERE EXISTS
            (SELECT 1 FROM conversation AS c WHERE c.account = a.id AND c.id = ?) ORDER BY id
            """
        return try transaction.fetchAll(sql, [conversation.stored]) { $0.readAccountID() }
    }

    public func count(of account: AccountID) throws -> Int {
        try transaction.fetchCount("SELECT COUNT(*) FROM conversation WHERE account = ?", [account.stored])
    }

    /// Returns the number of unread replies; 0 if the conversation does not exist.
    public func fetchUnreadCount(of conversation: Conversation.ID, account: AccountID) throws -> Int {
        try transaction.fetchCount(
            "SELECT unread FROM conversation WHERE account = ? AND id = ?",
            [account.stored, conversation.stored])
    }

    /// Returns the data at the last poll, by conversation. Omits conversations that were never polled.
    public func fetchPollSnapshots(
        of conversations: [Conversation.ID], account: AccountID
    ) throws -> [Conversation.ID: PollSnapshot] {
        var marks: [Conversation.ID: PollSnapshot] = [:]
        for id in conversations { marks[id] = try find(id, account: account)?.lastPoll }
        return marks
    }
}

extension ConversationRecord {
    static let columns = """
        account, id, status, title, category, priority, customer_id, user_id, user_name, device_id, \
        assigned_admin_id, app_id, app_name, message_count, unread_count, tags, created_at, updated_at, \
        unread, since_clear, as_of, polled, polled_updated_at, polled_unread, polled_messages, \
        last_message, newest_sequence, last_message_at, last_sender
        """

    fileprivate static let selected =
        "\(columns), \(ConversationMarks.selected), \(ReminderTable.snooze)"

    private static let previewLength = 200

    init(_ row: inout ColumnReader) {
        account = row.readAccountID()
        conversation = Conversation(row: &row)
        unread = row.readInt()
        sinceClear = row.readInt()
        serverTime = row.readOptionalTime()
        let isPolled = row.readFlag()
        let mark = PollSnapshot(
            updatedAt: row.readOptionalTime(), unreadCount: row.readOptionalInt(),
            messageCount: row.readOptionalInt())
        lastPoll = isPolled ? mark : nil
        lastMessage = row.readOptionalText()
        newestSequence = row.readInt64()
        lastMessageAt = row.readOptionalTime()
        lastSender = row.readOptionalText().map(SenderType.init(rawValue:))
        let marks = row.readOptionalInt() ?? 0
        self.marks = ConversationMarks(stored: marks, snooze: row.readOptionalTime())
    }

    /// The values of `columns`, followed by the value of the column `sort_at`.
    var values: Values {
        let own: Values = [
            unread.stored, sinceClear.stored, serverTime?.stored, (lastPoll != nil).stored,
            lastPoll?.updatedAt?.stored,
            lastPoll?.unreadCount?.stored, lastPoll?.messageCount?.stored, preview?.stored,
            newestSequence.stored,
            lastMessageAt?.stored, lastSender?.rawValue.stored, sortedAt.stored,
        ]
        return [account.stored] + conversation.values + own
    }

    /// Returns whether the records differ only in the fields that every new reply changes.
    fileprivate func differsOnlyInReplyValues(from before: ConversationRecord) -> Bool {
        var same = before
        (same.unread, same.sinceClear) = (unread, sinceClear)
        same.conversation.updatedAt = conversation.updatedAt
        (same.lastMessage, same.newestSequence) = (lastMessage, newestSequence)
        (same.lastMessageAt, same.lastSender) = (lastMessageAt, lastSender)
        return same == self
    }

    /// The start of the newest message, as stored. Checks the number of bytes first, because counting
    /// characters is slow and most messages are short.
    fileprivate var preview: String? {
        guard let lastMessage, lastMessage.utf8.count > Self.previewLength else { return lastMessage }
        let preview = lastMessage.prefix(Self.previewLength)
        // Also limit the size, because one character may consist of millions of combining marks.
        guard preview.utf8.count > 64 * Self.previewLength else { return String(preview) }
        return String(preview.unicodeScalars.prefix(Self.previewLength))
    }

    /// The time by which lists of conversations are sorted. `updatedAt` is only a fallback, because it also
    /// changes when the user reads the conversation, and reading must not move the conversation within a
    /// list.
    public var sortedAt: Timestamp {
        lastMessageAt ?? conversation.createdAt ?? conversation.updatedAt ?? serverTime ?? .epoch
    }
}

extension Binder {
    /// Binds the parameters of the statement `updateConversation`.
    fileprivate mutating func bindUpdate(of record: ConversationRecord) {
        bind(record.unread)
        bind(record.sinceClear)
        bind(record.conversation.updatedAt)
        bind(record.preview)
        bind(record.newestSequence)
        bind(record.lastMessageAt)
        bind(record.lastSender?.rawValue)
        bind(record.sortedAt)
        bind(record.account)
        bind(record.conversation.id)
    }
}

extension Conversation {
    fileprivate init(row: inout ColumnReader) {
        self.init(id: row.readID(), status: Status(row.readText()))
        title = row.readOptionalText()
        category = row.readOptionalText().map(Category.init(rawValue:))
        priority = row.readOptionalText().map(Priority.init(rawValue:))
        customerID = row.readOptionalText()
        userID = row.readOptionalText()
        userName = row.readOptionalText()
        deviceID = row.readOptionalID()
        assignedAdminID = row.readOptionalText()
        appID = row.readOptionalText()
        appName = row.readOptionalText()
        messageCount = row.readOptionalInt()
        unreadCount = row.readOptionalInt()
        tags = row.readOptionalText().flatMap(Self.decodeTags(_:))
        createdAt = row.readOptionalTime()
        updatedAt = row.readOptionalTime()
    }

    fileprivate var values: Values {
        [
            id.stored, status.rawValue.stored, title?.stored, category?.rawValue.stored,
            priority?.rawValue.stored, customerID?.stored, userID?.stored, userName?.stored,
            deviceID?.stored, assignedAdminID?.stored, appID?.stored, appName?.stored, messageCount?.stored,
            unreadCount?.stored, tags.flatMap(Self.encodeTags(_:))?.stored, createdAt?.stored,
            updatedAt?.stored,
        ]
    }

    private static func decodeTags(_ text: String) -> [Tag]? {
        try? JSON.decode([Tag].self, from: text.utf8)
    }

    private static func encodeTags(_ tags: [Tag]) -> String? {
        (try? JSON.encode(tags)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The table of conversations that the server listed but that could not be fetched yet. The table is stored
/// on disk, because the server may no longer list these conversations after a restart of the daemon.
public struct UnfetchedTable {
    let transaction: Transaction

    /// Adds a conversation. Has no effect if the table already contains the conversation.
    ///
    /// - Parameter isFirstSync: whether the conversation was listed during the first sync.
    @_spi(EventLog) public func add(_ conversation: Conversation.ID, account: AccountID, isFirstSync: Bool)
        throws
    {
        try transaction.run(
            "INSERT OR IGNORE INTO unfetched (account, conversation, first) VALUES (?, ?, ?)",
            [account.stored, conversation.stored, isFirstSync.stored])
    }

    /// Removes a conversation, for example after it was fetched.
    @_spi(EventLog) public func remove(_ conversation: Conversation.ID, account: AccountID) throws {
        try transaction.run(
            "DELETE FROM unfetched WHERE account = ? AND conversation = ?",
            [account.stored, conversation.stored])
    }

    /// Returns the conversations of an account that must still be fetched, and whether each was listed
    /// during the first sync (`isFirst`).
    public func fetchAll(of account: AccountID) throws -> [(id: Conversation.ID, isFirst: Bool)] {
        try transaction.fetchAll(
            "SELECT conversation, first FROM unfetched WHERE account = ?", [account.stored]
        ) {
            (id: $0.readID(), isFirst: $0.readFlag())
        }
    }
}
