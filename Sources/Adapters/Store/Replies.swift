public import CutieAPI

/// Queries about the replies in a conversation. A reply is a message that is neither an own message nor a
/// note (see `MessageRecord.isReply`).
public struct ReplyTable {
    let transaction: Transaction

    /// Returns the newest reply in a conversation, for use as the upper bound of a read mark. The newest
    /// reply is the reply that was received last, not the reply with the latest time, because the clock of
    /// the server may have been set back.
    public func findNewest(in conversation: Conversation.ID, account: AccountID) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY +row DESC LIMIT 1
            """
        return try transaction.fetchOne(sql, [account.stored, conversation.stored]) { $0.readID() }
    }

    /// Returns `last`, or, if `last` is not a reply, the newest reply in the conversation that was received
    /// before `last`.
    ///
    /// - Parameter last: the message at which the search starts; `nil` to start at the newest message.
    public func findNewest(
        in conversation: Conversation.ID, account: AccountID, notAfter last: Message.ID?
    ) throws -> Message.ID? {
        guard let last else { return try findNewest(in: conversation, account: account) }
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            AND +row <= ? ORDER BY +row DESC LIMIT 1
            """
        guard let bound = try transaction.messages.findRow(of: last, in: conversation, account: account)
        else {
            return nil
        }
        return try transaction.fetchOne(sql, [account.stored, conversation.stored, bound.stored]) {
            $0.readID()
        }
    }

    /// Returns the newest reply in a conversation, among the replies with a sequence number of at most
    /// `sequence`.
    public func findNewest(
        in conversation: Conversation.ID, account: AccountID, upToSequence sequence: Int64
    ) throws -> Message.ID? {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            AND sequence <= ? ORDER BY +row DESC LIMIT 1
            """
        return try transaction.fetchOne(sql, [account.stored, conversation.stored, sequence.stored]) {
            $0.readID()
        }
    }

    /// Returns the replies with `stage` among the newest `limit` replies in a conversation, newest first.
    public func fetchReplies(
        in conversation: Conversation.ID, account: AccountID, amongNewest limit: Int, stage: LedgerStage
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try transaction.fetchAll(
            sql, [account.stored, conversation.stored, limit.stored, stage.stored]
        ) {
            $0.readID()
        }
    }

    /// Returns the number of replies with `stage` among the newest `limit` replies in a conversation.
    public func countReplies(
        in conversation: Conversation.ID, account: AccountID, amongNewest limit: Int, stage: LedgerStage
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM (SELECT stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try transaction.fetchCount(
            sql, [account.stored, conversation.stored, limit.stored, stage.stored])
    }

    /// Returns the unread replies among the newest `total` replies in a conversation, excluding the newest
    /// `left` replies. Sorts replies by receipt, because message times depend on a clock that may be set
    /// back. `+row` prevents a scan in table order, which would read the messages of all conversations.
    public func fetchUnreadReplies(
        in conversation: Conversation.ID, account: AccountID, amongNewest total: Int,
        excludingNewest left: Int
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND is_own = 0 AND is_note = 0
            ORDER BY +row DESC LIMIT ? OFFSET ?) WHERE stage <> ?
            """
        let count = max(0, total - left)
        return try transaction.fetchAll(
            sql, [account.stored, conversation.stored, count.stored, left.stored, LedgerStage.read.stored]
        ) { $0.readID() }
    }

    /// Returns the number of replies in the conversation that were received after `message`; 0 if `message`
    /// is not stored.
    public func countReplies(
        in conversation: Conversation.ID, account: AccountID, after message: Message.ID
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM message AS m, message AS bound
            WHERE bound.row = ? AND m.account = ? AND m.conversation = ? AND m.is_own = 0 AND m.is_note = 0
            AND m.row > bound.row
            """
        guard let bound = try transaction.messages.findRow(of: message, in: conversation, account: account)
        else {
            return 0
        }
        return try transaction.fetchOne(sql, [bound.stored, account.stored, conversation.stored]) {
            $0.readInt()
        }
            ?? 0
    }
}
