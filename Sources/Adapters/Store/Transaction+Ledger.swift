public import CutieAPI

/// One step in the life of a message.
public struct LedgerStep: Hashable, Sendable {
    public let at: Timestamp
    public let stage: Stage
    /// The pop-up's id, or why it was not shown.
    public let detail: String?

    public init(at: Timestamp, stage: Stage, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.detail = detail
    }
}

extension Transaction {
    /// Moves a message to `stage` and writes that down; `pending` nil leaves it as it is. False when
    /// the message is not here any more.
    @discardableResult
    public func append(
        step stage: Stage, detail: String? = nil, at time: Timestamp, to message: Message.ID,
        in conversation: Conversation.ID, account: AccountID, pending: Bool? = nil
    ) throws -> Bool {
        guard let row = try row(of: message, in: conversation, account: account) else { return false }
        if let pending {
            try run(
                "UPDATE message SET stage = ?, pending = ? WHERE row = ?",
                [stage.stored, pending.stored, row.stored])
        } else {
            try run("UPDATE message SET stage = ? WHERE row = ?", [stage.stored, row.stored])
        }
        guard changes > 0 else { return false }
        try appendStep(stage, detail: detail, at: time, row: row)
        return true
    }

    /// The same for a message that still waits to be announced, else false: what was read meanwhile stays read.
    public func appendToPending(
        step stage: Stage, detail: String? = nil, at time: Timestamp, to message: Message.ID,
        in conversation: Conversation.ID, account: AccountID, pending: Bool
    ) throws -> Bool {
        guard let row = try row(of: message, in: conversation, account: account) else { return false }
        try run(
            "UPDATE message SET stage = ?, pending = ? WHERE row = ? AND pending = 1",
            [stage.stored, pending.stored, row.stored])
        guard changes > 0 else { return false }
        try appendStep(stage, detail: detail, at: time, row: row)
        return true
    }

    /// The same step for several messages of a thread.
    public func append(
        step stage: Stage, detail: String? = nil, at time: Timestamp, to messages: [Message.ID],
        in conversation: Conversation.ID, account: AccountID, pending: Bool? = nil
    ) throws {
        for message in messages {
            try append(
                step: stage, detail: detail, at: time, to: message, in: conversation, account: account,
                pending: pending)
        }
    }

    /// The steps of a message, oldest first; none when it is not here.
    public func steps(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> [LedgerStep] {
        guard let row = try row(of: message, in: conversation, account: account) else { return [] }
        return try all("SELECT at, stage, detail FROM ledger WHERE message = ? ORDER BY step", [row.stored]) {
            LedgerStep(at: $0.time(), stage: Stage(code: $0.int64()), detail: $0.optionalText())
        }
    }

    func appendStep(_ stage: Stage, detail: String?, at time: Timestamp, row: Int64) throws {
        // INSERT ... SELECT from the same table would first be copied into a temporary one, made each time.
        let sql = """
            INSERT INTO ledger (message, step, at, stage, detail) VALUES
            (?1, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger WHERE message = ?1), ?2, ?3, ?4)
            """
        try run(sql, [row.stored, time.stored, stage.stored, detail?.stored])
    }
}
