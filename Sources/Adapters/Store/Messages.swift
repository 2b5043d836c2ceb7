public import CutieAPI

/// A stored message.
public struct MessageRecord: Hashable, Sendable {
    public let account: AccountID
    public let message: Message
    /// The position in the order of receipt; never reused.
    public let row: Int64
    /// The log sequence of the message's entry.
    public let sequence: Int64
    public let stage: Stage
    /// Whether the message is waiting to be announced.
    public let pending: Bool
    /// Whether the message was written on the side of the account's user: by that user, or by a colleague who
    /// answers too.
    public let isOwn: Bool
    /// Whether only admins can read the message.
    public let isNote: Bool

    public init(
        account: AccountID, message: Message, row: Int64, sequence: Int64, stage: Stage, pending: Bool,
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

    /// Whether the message is a reply from the other side and not a note, so that it counts as unread.
    public var isReply: Bool { !isOwn && !isNote }
}

extension MessageRecord {
    /// Columns of the table `message` with the alias m.
    static let columns = """
        m.account, m.row, m.sequence, m.stage, m.pending, m.is_own, m.is_note, m.id, m.conversation, m.sender_type, m.sender_id, \
        m.sender_name, m.sender_avatar_url, m.text, m.type, m.created_at
        """

    init(_ row: inout ColumnReader) {
        account = row.account()
        self.row = row.int64()
        sequence = row.int64()
        stage = Stage(code: row.int64())
        pending = row.flag()
        isOwn = row.flag()
        isNote = row.flag()
        message = Message(
            id: row.id(), conversation: row.id(), senderType: SenderType(row.text()),
            senderID: row.optionalText(), senderName: row.optionalText(),
            senderAvatarURL: row.optionalText(), text: row.text(), type: row.text(), createdAt: row.time())
    }
}

extension Binder {
    /// Binds the text of a message and its sender.
    fileprivate mutating func bind(textsOf message: Message) {
        bind(message.senderType.rawValue)
        bind(message.senderID)
        bind(message.senderName)
        bind(message.senderAvatarURL)
        bind(message.type)
        bind(message.text)
    }
}

/// The stored messages, and the ids of all messages ever stored.
public struct MessageTable {
    let transaction: Transaction

    /// Returns whether a message with this id was ever inserted, even if its body was pruned.
    ///
    /// - Parameter conversation: `nil` for any conversation.
    public func hasSeen(
        _ message: Message.ID, in conversation: Conversation.ID?, account: AccountID
    ) throws -> Bool {
        if let conversation { return try row(of: message, in: conversation, account: account) != nil }
        return try transaction.first(
            "SELECT 1 FROM seen_message WHERE account = ? AND message = ?",
            [account.stored, message.stored]
        ) { $0.int() } != nil
    }

    /// Stores a message and begins its ledger with `stage`. If its conversation already had a message with
    /// this id, nothing is stored.
    ///
    /// - Parameter sequence: `nil` for the head of the log.
    /// - Returns: the row; `nil` if the message is already known.
    @_spi(Log) @discardableResult
    public func insert(
        _ message: Message, account: AccountID, sequence: Int64? = nil, isOwn: Bool, isNote: Bool,
        stage: Stage, reason: LedgerEntry.Reason? = nil, detail: String? = nil, pending: Bool,
        at time: Timestamp
    ) throws -> Int64? {
        guard try row(of: message.id, in: message.conversation, account: account) == nil else { return nil }
        let sequence = try sequence ?? transaction.log.head()
        try transaction.run(Self.insertMessage) {
            $0.bind(account)
            $0.bind(message.id)
            $0.bind(message.conversation)
            $0.bind(message.createdAt)
            $0.bind(sequence)
            $0.bind(stage)
            $0.bind(pending)
            $0.bind(isOwn)
            $0.bind(isNote)
            $0.bind(textsOf: message)
        }
        let row = transaction.lastRow
        try transaction.run(
            "INSERT INTO seen_message (account, message, conversation, row) VALUES (?, ?, ?, ?)"
        ) {
            $0.bind(account)
            $0.bind(message.id)
            $0.bind(message.conversation)
            $0.bind(row)
        }
        try transaction.ledger.begin(stage, reason, detail, at: time, row: row)
        if row % FullText.unindexedMessages == 0 { try transaction.fullText.update() }
        return row
    }

    private static let insertMessage = """
        INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending, is_own,
        is_note, sender_type, sender_id, sender_name, sender_avatar_url, type, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Returns the stored messages with this id; more than one if accounts or conversations share the id.
    public func find(
        _ id: Message.ID, in conversation: Conversation.ID? = nil, account: AccountID? = nil
    ) throws -> [MessageRecord] {
        let accounts =
            try account.map { [$0] } ?? transaction.all("SELECT id FROM account ORDER BY id") { $0.account() }
        let sql = """
            SELECT \(MessageRecord.columns) FROM seen_message AS s JOIN message AS m ON m.row = s.row
            WHERE s.account = ? AND s.message = ?
            """
        let found = try accounts.flatMap {
            try transaction.all(sql, [$0.stored, id.stored], MessageRecord.init(_:))
        }
        guard let conversation else { return found }
        return found.filter { $0.message.conversation == conversation }
    }

    /// Returns the newest messages of a conversation, at most `limit`, oldest first.
    public func newest(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil
    ) throws -> [MessageRecord] {
        var newestFirst: [MessageRecord] = []
        try read(in: conversation, account: account, limit: limit) {
            newestFirst.append($0)
            return true
        }
        return newestFirst.reversed()
    }

    /// Passes the newest messages of a conversation to `body`, newest first and at most `limit`, until `body`
    /// returns `false`.
    public func read(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil,
        _ body: (MessageRecord) throws -> Bool
    ) throws {
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m WHERE account = ? AND conversation = ?
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?
            """
        try transaction.read(
            sql, [account.stored, conversation.stored, (limit ?? -1).stored], MessageRecord.init(_:), body)
    }

    /// Returns the position of a message in the order of receipt; `nil` if it was never inserted.
    public func place(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        try row(of: message, in: conversation, account: account)
    }

    /// Returns the row number that connects the tables of a message.
    func row(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        // The plus sign excludes the conversation from the index search: comparing it in the few rows of the
        // id is faster than one lookup per value.
        try transaction.first(
            "SELECT row FROM seen_message WHERE account = ? AND message = ? AND +conversation IN (?, '')",
            binding: {
                $0.bind(account)
                $0.bind(message)
                $0.bind(conversation)
            }
        ) { $0.int64() }
    }

    /// Returns the messages that are waiting to be announced, in the order of receipt.
    ///
    /// - Parameters:
    ///   - held: whether to return the messages that are held back, or the others. A long list of held
    ///   messages does not slow down the others.
    ///   - skipped: the number of messages to skip.
    public func pending(held: Bool, limit: Int, skipping skipped: Int = 0) throws -> [MessageRecord] {
        try transaction.all(
            held ? Self.held : Self.fresh, [limit.stored, skipped.stored],
            MessageRecord.init(_:))
    }

    private static let (held, fresh) = (pending("="), pending("<>"))

    /// The code is part of the statement's text, because SQLite cannot match a bound value with the partial
    /// index.
    private static func pending(_ comparison: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM message AS m
        WHERE pending = 1 AND stage \(comparison) \(Stage.held.code) ORDER BY sequence, row LIMIT ? OFFSET ?
        """
    }
}
