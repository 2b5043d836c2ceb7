public import CutieAPI

/// What counting needs to know of a thread. A reply is what is neither of one's own side nor a note.
public struct ReplyTable {
    let transaction: Transaction

    /// The newest reply of a thread, or the one before so many: how far a
    /// mark-read reaches. The newest is what came last; a server's clock may have been put right since the one
    /// before.
    public func newest(
        in conversation: Conversation.ID, account: AccountID, skipping skipped: Int = 0
    ) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY +row DESC LIMIT 1 OFFSET ?
            """
        return try transaction.first(sql, [account.stored, conversation.stored, skipped.stored]) { $0.id() }
    }

    /// The newest reply of a thread that is `last` or older; of all where `last` is nil.
    public func newest(
        in conversation: Conversation.ID, account: AccountID, notAfter last: Message.ID?
    ) throws -> Message.ID? {
        guard let last else { return try newest(in: conversation, account: account) }
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            AND +row <= ? ORDER BY +row DESC LIMIT 1
            """
        guard let bound = try transaction.messages.row(of: last, in: conversation, account: account) else {
            return nil
        }
        return try transaction.first(sql, [account.stored, conversation.stored, bound.stored]) { $0.id() }
    }

    /// The newest reply of a thread that the log knew at `sequence`.
    public func newest(
        in conversation: Conversation.ID, account: AccountID, knownAt sequence: Int64
    ) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            AND sequence <= ? ORDER BY +row DESC LIMIT 1
            """
        return try transaction.first(sql, [account.stored, conversation.stored, sequence.stored]) { $0.id() }
    }

    /// Those of the newest `limit` replies of a thread that are at `stage`, the newest first.
    public func newest(
        in conversation: Conversation.ID, account: AccountID, limit: Int, stage: Stage
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try transaction.all(sql, [account.stored, conversation.stored, limit.stored, stage.stored]) {
            $0.id()
        }
    }

    /// How many of the newest `limit` replies of a thread are at `stage`.
    public func count(
        in conversation: Conversation.ID, account: AccountID, amongNewest limit: Int, stage: Stage
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM (SELECT stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try transaction.count(sql, [account.stored, conversation.stored, limit.stored, stage.stored])
    }

    /// Of the newest `total` replies of a thread, those but the newest `left` that are not known to be read. The
    /// newest came last: dates are by a clock that may be set. `+row`: in the table's own order SQLite would look
    /// at the messages of all threads.
    public func unread(
        in conversation: Conversation.ID, account: AccountID, of total: Int, leaving left: Int
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY +row DESC LIMIT ? OFFSET ?) WHERE stage <> ?
            """
        let count = max(0, total - left)
        return try transaction.all(
            sql, [account.stored, conversation.stored, count.stored, left.stored, Stage.read.stored]
        ) { $0.id() }
    }

    /// How many replies of a thread came after one of its messages; 0 where that one is not here.
    public func count(
        in conversation: Conversation.ID, account: AccountID, after message: Message.ID
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM message AS m, message AS bound
            WHERE bound.row = ? AND m.account = ? AND m.conversation = ? AND m.is_own = 0 AND m.is_note = 0
            AND m.row > bound.row
            """
        guard let bound = try transaction.messages.row(of: message, in: conversation, account: account) else {
            return 0
        }
        return try transaction.first(sql, [bound.stored, account.stored, conversation.stored]) { $0.int() }
            ?? 0
    }
}
