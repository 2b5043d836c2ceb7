public import CutieAPI

/// A message as the store keeps it.
public struct MessageRecord: Hashable, Sendable {
    public let account: AccountID
    public let message: Message
    /// Where it stands in the order in which all came; never used twice.
    public let row: Int64
    /// The log's sequence it came with.
    public let sequence: Int64
    public let stage: Stage
    /// It waits to be announced.
    public let pending: Bool
    /// Written on the side of the account's person: by them, or who answers beside them.
    public let isOwn: Bool
    /// Only admins read it.
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

    /// From the other side, and no note: it counts.
    public var isReply: Bool { !isOwn && !isNote }
}

extension MessageRecord {
    /// Of the table `message` under the name m.
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
    /// What a message says, and who says it.
    fileprivate mutating func bind(textsOf message: Message) {
        bind(message.senderType.rawValue)
        bind(message.senderID)
        bind(message.senderName)
        bind(message.senderAvatarURL)
        bind(message.type)
        bind(message.text)
    }
}

/// The messages whose bodies are here, and the ids of all that ever were.
public struct MessageTable {
    let transaction: Transaction

    /// Whether a message of this id was ever inserted, also when its body was pruned since. `conversation` nil:
    /// in any one.
    public func hasSeen(
        _ message: Message.ID, in conversation: Conversation.ID?, account: AccountID
    ) throws -> Bool {
        if let conversation { return try row(of: message, in: conversation, account: account) != nil }
        return try transaction.first(
            "SELECT 1 FROM seen_message WHERE account = ? AND message = ?",
            [account.stored, message.stored]
        ) { $0.int() } != nil
    }

    /// Stores a message, begins its ledger with `stage` and returns its row; nil when its id was seen before in
    /// its conversation: nothing is left behind. `sequence` nil is the log's head.
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

    /// The message of this id whose body is still here; several where accounts or conversations share the id.
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

    /// The newest messages of a thread, at most `limit`, the oldest of them first.
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

    /// Hands the newest messages of a thread, at most `limit`, to `body`, the newest first, until it returns
    /// false.
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

    /// Where a message stands in the order in which all came; nil where it was never inserted.
    public func place(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        try row(of: message, in: conversation, account: account)
    }

    /// The number that ties a message's rows together.
    func row(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        // The plus has the conversation compared in the few rows of the id: looking each up takes longer.
        try transaction.first(
            "SELECT row FROM seen_message WHERE account = ? AND message = ? AND +conversation IN (?, '')",
            binding: {
                $0.bind(account)
                $0.bind(message)
                $0.bind(conversation)
            }
        ) { $0.int64() }
    }

    /// The messages that wait to be announced, in the order they came: those that are held for a reason,
    /// or the others. A long list of held ones does not slow the others down.
    /// The first `skipped` of them are left out.
    public func pending(held: Bool, limit: Int, skipping skipped: Int = 0) throws -> [MessageRecord] {
        try transaction.all(
            held ? Self.held : Self.fresh, [limit.stored, skipped.stored],
            MessageRecord.init(_:))
    }

    private static let (held, fresh) = (pending("="), pending("<>"))

    /// The number is part of the statement: a bound one would not be matched with the index.
    private static func pending(_ comparison: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM message AS m
        WHERE pending = 1 AND stage \(comparison) \(Stage.held.code) ORDER BY sequence, row LIMIT ? OFFSET ?
        """
    }
}
