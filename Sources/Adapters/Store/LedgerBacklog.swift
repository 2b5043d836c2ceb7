import CutieAPI

extension LedgerTable {
    /// The maximum number of messages for which one statement per message is faster than `appendToAll`.
    static let fewMessages = 16

    /// Moves many messages of a conversation to `stage` and adds a step for each, with one statement per
    /// table.
    func appendToAll(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason?, detail: String?, at time: Timestamp,
        to messages: [Message.ID], in conversation: Conversation.ID, account: AccountID,
        isPendingAfterwards pending: Bool?
    ) throws {
        let rows = try fetchRowNumbersAsJSON(of: messages, in: conversation, account: account)
        try transaction.run(
            """
            UPDATE message SET stage = ?, pending = COALESCE(?, pending)
            WHERE row IN (SELECT value FROM json_each(?))
            """
        ) {
            $0.bind(stage)
            $0.bind(pending.map { $0 ? 1 : 0 as Int })
            $0.bind(rows)
        }
        try transaction.run(
            """
            INSERT INTO ledger (message, step, at, stage, reason, detail)
            SELECT m.row, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger AS l WHERE l.message = m.row),
            ?, ?, ?, ? FROM json_each(?) AS chosen CROSS JOIN message AS m ON m.row = chosen.value
            """
        ) {
            $0.bind(time)
            $0.bind(stage)
            $0.bind(reason?.rawValue)
            $0.bind(detail)
            $0.bind(rows)
        }
    }

    /// Returns the row numbers of the messages as a JSON array for `json_each`.
    private func fetchRowNumbersAsJSON(
        of messages: [Message.ID], in conversation: Conversation.ID, account: AccountID
    ) throws -> String {
        let ids = String(decoding: try JSON.encode(messages.map(\.rawValue)), as: UTF8.self)
        let sql = """
            SELECT s.row FROM json_each(?) AS id CROSS JOIN seen_message AS s
            ON s.account = ? AND s.message = id.value AND +s.conversation IN (?, '')
            """
        let rows = try transaction.fetchAll(sql, [ids.stored, account.stored, conversation.stored]) {
            $0.readInt64()
        }
        return "[" + rows.map(String.init).joined(separator: ",") + "]"
    }
}
