public import CutieAPI

/// What counting needs to know of a thread. A reply is a message that the person did not write.
extension Transaction {
    /// Those of the newest `limit` replies of a thread that are at `stage`, the newest first.
    public func newestReplies(
        in conversation: Conversation.ID, account: AccountID, limit: Int, stage: Stage
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try all(sql, [account.stored, conversation.stored, limit.stored, stage.stored]) { $0.id() }
    }

    /// How many of the newest `limit` replies of a thread are at `stage`.
    public func replyCount(
        in conversation: Conversation.ID, account: AccountID, amongNewest limit: Int, stage: Stage
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM (SELECT stage FROM message
            WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            ORDER BY created_at DESC, sequence DESC, row DESC LIMIT ?) WHERE stage = ?
            """
        return try count(sql, [account.stored, conversation.stored, limit.stored, stage.stored])
    }

    /// 0 where the conversation is not here.
    public func unreadCount(of conversation: Conversation.ID, account: AccountID) throws -> Int {
        try count(
            "SELECT unread FROM conversation WHERE account = ? AND id = ?",
            [account.stored, conversation.stored])
    }

    /// Of the newest `total` replies of a thread, those but the newest `left` that are not known to be read. The
    /// newest came last: dates are by a clock that may be set. `+row`: in the table's own order SQLite would look
    /// at the messages of all threads.
    public func repliesToMarkRead(
        in conversation: Conversation.ID, account: AccountID, of total: Int, leaving left: Int
    ) throws -> [Message.ID] {
        let sql = """
            SELECT id FROM (SELECT id, stage FROM message
            WHERE account = ? AND conversation = ? AND sender_type <> 'user'
            ORDER BY +row DESC LIMIT ? OFFSET ?) WHERE stage <> ?
            """
        let count = max(0, total - left)
        return try all(
            sql, [account.stored, conversation.stored, count.stored, left.stored, Stage.read.stored]
        ) { $0.id() }
    }

    /// How many replies of a thread came after one of its messages; 0 where that one is not here.
    public func replyCount(
        in conversation: Conversation.ID, account: AccountID, after message: Message.ID
    ) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM message AS m, message AS bound
            WHERE bound.row = ? AND m.account = ? AND m.conversation = ? AND m.sender_type <> 'user'
            AND m.row > bound.row
            """
        guard let bound = try row(of: message, in: conversation, account: account) else { return 0 }
        return try first(sql, [bound.stored, account.stored, conversation.stored]) { $0.int() } ?? 0
    }

    /// The newest message covered by a mark-read that still waits in the outbox.
    public func pendingReadBound(
        in conversation: Conversation.ID, account: AccountID
    ) throws -> Message.ID? {
        let sql = """
            SELECT read_bound FROM outbox WHERE account = ? AND conversation = ? AND read_bound IS NOT NULL
            AND state <> 'failed' ORDER BY place DESC LIMIT 1
            """
        return try first(sql, [account.stored, conversation.stored]) { $0.id() }
    }

    /// How many mark-reads of an account wait to be sent.
    public func waitingReadCount(of account: AccountID) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM outbox WHERE account = ? AND read_bound IS NOT NULL AND state <> 'failed'
            """
        return try count(sql, [account.stored])
    }

    /// What an account's conversations add up to.
    public func sums(of account: AccountID) throws -> (badge: Int, unread: Int) {
        let sql = """
            SELECT COALESCE(SUM(MIN(unread, since_clear)), 0), COALESCE(SUM(unread), 0) FROM conversation
            WHERE \(ConversationRecord.isLive) AND account = ? AND unread > 0
            """
        return try first(sql, [account.stored]) { (badge: $0.int(), unread: $0.int()) } ?? (0, 0)
    }

    /// What the last poll saw of these conversations; those never polled are left out.
    public func polledMarks(
        of conversations: [Conversation.ID], account: AccountID
    ) throws -> [Conversation.ID: PolledMark] {
        var marks: [Conversation.ID: PolledMark] = [:]
        for id in conversations { marks[id] = try conversation(id, account: account)?.polled }
        return marks
    }

    /// The pop-up of a thread is gone: what it showed was closed.
    public func closeShown(
        in conversation: Conversation.ID, account: AccountID, detail: String, at time: Timestamp
    ) throws {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND stage = ?
            ORDER BY created_at DESC, sequence DESC LIMIT 100
            """
        let shown: [Message.ID] = try all(
            sql, [account.stored, conversation.stored, Stage.shown.stored]
        ) { $0.id() }
        try append(step: .closed, detail: detail, at: time, to: shown, in: conversation, account: account)
    }
}
