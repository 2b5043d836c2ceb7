public import CutieAPI
internal import GRDB

extension Transaction {
    /// Whether a message of this id was ever inserted, also when its body was pruned since. `conversation` nil:
    /// in any one.
    public func hasSeen(
        _ message: Message.ID, in conversation: Conversation.ID?, account: AccountID
    ) throws -> Bool {
        if let conversation { return try row(of: message, in: conversation, account: account) != nil }
        return try first(
            "SELECT 1 FROM seen_message WHERE account = ? AND message = ?",
            [account.stored, message.stored]
        ) { $0.int() } != nil
    }

    /// Stores a message and begins its ledger with `stage`. False when its id was seen before in its
    /// conversation, and for an internal note: neither leaves anything behind. `sequence` nil is the log's head.
    @discardableResult
    public func insert(
        _ message: Message, account: AccountID, sequence: Int64? = nil, stage: Stage,
        detail: String? = nil, pending: Bool, at time: Timestamp
    ) throws -> Bool {
        guard !message.isInternalNote,
            try row(of: message.id, in: message.conversation, account: account) == nil
        else { return false }
        try run(
            Self.insertMessage,
            [
                account.stored, message.id.stored, message.conversation.stored,
                message.createdAt.stored, (sequence ?? head()).stored, stage.stored, pending.stored,
                message.senderType.rawValue.stored, message.senderID?.stored, message.senderName?.stored,
                message.senderAvatarURL?.stored, message.type.stored, message.text.stored,
            ])
        let row = database.lastInsertedRowID
        try run(
            "INSERT INTO seen_message (account, message, conversation, row) VALUES (?, ?, ?, ?)",
            [account.stored, message.id.stored, message.conversation.stored, row.stored])
        try appendStep(stage, detail: detail, at: time, row: row)
        if row % Self.unindexedMessages == 0 { try indexNewMessages() }
        return true
    }

    private static let insertMessage = """
        INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending, sender_type,
        sender_id, sender_name, sender_avatar_url, type, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The message of this id whose body is still here; several where accounts or conversations share the id.
    public func message(
        _ id: Message.ID, in conversation: Conversation.ID? = nil, account: AccountID? = nil
    ) throws -> [MessageRecord] {
        let accounts = try account.map { [$0] } ?? all("SELECT id FROM account ORDER BY id") { $0.account() }
        let sql = """
            SELECT \(MessageRecord.columns) FROM seen_message AS s JOIN message AS m ON m.row = s.row
            WHERE s.account = ? AND s.message = ?
            """
        let found = try accounts.flatMap { try all(sql, [$0.stored, id.stored], MessageRecord.init(_:)) }
        guard let conversation else { return found }
        return found.filter { $0.message.conversation == conversation }
    }

    /// The newest messages of a thread, at most `limit`, the oldest of them first.
    public func messages(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil
    ) throws -> [MessageRecord] {
        var newestFirst: [MessageRecord] = []
        try readMessages(in: conversation, account: account, limit: limit) {
            newestFirst.append($0)
            return true
        }
        return newestFirst.reversed()
    }

    /// Hands the newest messages of a thread, at most `limit`, to `body`, the newest first, until it returns
    /// false.
    public func readMessages(
        in conversation: Conversation.ID, account: AccountID, limit: Int? = nil,
        _ body: (MessageRecord) throws -> Bool
    ) throws {
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m WHERE account = ? AND conversation = ?
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?
            """
        try read(
            sql, [account.stored, conversation.stored, (limit ?? -1).stored], MessageRecord.init(_:), body)
    }

    /// Where a message stands in the order in which all came; nil where it was never inserted.
    public func place(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        try row(of: message, in: conversation, account: account)
    }

    /// The newest message of a thread that the person did not write, or the one before so many: how far a
    /// mark-read reaches. The newest is what came last; a server's clock may have been put right since the one
    /// before.
    public func newestReply(
        in conversation: Conversation.ID, account: AccountID, skipping skipped: Int = 0
    ) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            ORDER BY +row DESC LIMIT 1 OFFSET ?
            """
        return try first(sql, [account.stored, conversation.stored, skipped.stored]) { $0.id() }
    }

    /// The newest reply of a thread that is `last` or older; of all where `last` is nil.
    public func newestReply(
        in conversation: Conversation.ID, account: AccountID, notAfter last: Message.ID?
    ) throws -> Message.ID? {
        guard let last else { return try newestReply(in: conversation, account: account) }
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            AND +row <= ? ORDER BY +row DESC LIMIT 1
            """
        guard let bound = try row(of: last, in: conversation, account: account) else { return nil }
        return try first(sql, [account.stored, conversation.stored, bound.stored]) { $0.id() }
    }

    /// The newest reply of a thread that the log knew at `sequence`.
    public func newestReply(
        in conversation: Conversation.ID, account: AccountID, knownAt sequence: Int64
    ) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            AND sequence <= ? ORDER BY +row DESC LIMIT 1
            """
        return try first(sql, [account.stored, conversation.stored, sequence.stored]) { $0.id() }
    }

    /// The number that ties a message's rows together.
    func row(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> Int64? {
        // The plus has the conversation compared in the few rows of the id: looking each up takes longer.
        try first(
            "SELECT row FROM seen_message WHERE account = ? AND message = ? AND +conversation IN (?, '')",
            [account.stored, message.stored, conversation.stored]
        ) { $0.int64() }
    }
}
