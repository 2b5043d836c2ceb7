public import CutieAPI

/// The stage of a message between receipt and reading.
public enum Stage: String, CaseIterable, Sendable {
    case received, stored, announcing, shown, held, closed, read
}

extension Stage {
    /// The stored value. It is never 0 or 1, because SQLite encodes those shorter: with equal sizes, a change
    /// of stage overwrites the row of a long message in place.
    var code: Int64 {
        switch self {
        case .received: 2
        case .stored: 3
        case .announcing: 4
        case .shown: 5
        case .held: 6
        case .closed: 7
        case .read: 8
        }
    }

    /// Creates the stage of a code; `received` if this version does not know the code.
    init(code: Int64) {
        self = Stage.allCases.first { $0.code == code } ?? .received
    }
}

/// A step in the life of a message.
public struct LedgerEntry: Hashable, Sendable {
    /// The reason for a step. The raw values are stored in databases.
    public enum Reason: Int64, Sendable {
        /// The message was created by one of our own calls.
        case answered = 1
        /// The message will never be shown; the detail contains the reason.
        case notShown = 2
        /// The message is shown in the summary notification of several conversations; the detail contains its
        /// id.
        case summary = 3
    }

    public let at: Timestamp
    public let stage: Stage
    public let reason: Reason?
    /// The id of the notification, or the reason why none was shown.
    public let detail: String?

    public init(at: Timestamp, stage: Stage, reason: Reason? = nil, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.reason = reason
        self.detail = detail
    }
}

/// The steps of each message.
public struct LedgerTable {
    let transaction: Transaction

    /// Moves a message to `stage` and adds the step.
    ///
    /// - Parameter pending: the new value of the column; `nil` leaves it unchanged.
    /// - Returns: `false` if the message no longer exists.
    @_spi(Log) @discardableResult
    public func append(
        _ stage: Stage, reason: LedgerEntry.Reason? = nil, detail: String? = nil, at time: Timestamp,
        to message: Message.ID,
        in conversation: Conversation.ID, account: AccountID, pending: Bool? = nil
    ) throws -> Bool {
        guard let row = try transaction.messages.row(of: message, in: conversation, account: account) else {
            return false
        }
        if let pending {
            try transaction.run(
                "UPDATE message SET stage = ?, pending = ? WHERE row = ?",
                [stage.stored, pending.stored, row.stored])
        } else {
            try transaction.run("UPDATE message SET stage = ? WHERE row = ?", [stage.stored, row.stored])
        }
        guard transaction.changes > 0 else { return false }
        try append(stage, reason, detail, at: time, row: row)
        return true
    }

    /// Moves the message of a row to `stage` if it is still pending. A message that was read in the meantime
    /// stays read.
    ///
    /// - Returns: `false` if the message is not pending.
    @_spi(Log) public func appendToPending(
        _ stage: Stage, reason: LedgerEntry.Reason? = nil, detail: String? = nil, at time: Timestamp,
        to row: Int64, pending: Bool
    ) throws -> Bool {
        try transaction.run("UPDATE message SET stage = ?, pending = ? WHERE row = ? AND pending = 1") {
            $0.bind(stage)
            $0.bind(pending)
            $0.bind(row)
        }
        guard transaction.changes > 0 else { return false }
        try append(stage, reason, detail, at: time, row: row)
        return true
    }

    /// Adds a step without changing the message.
    @_spi(Log) public func note(_ stage: Stage, at time: Timestamp, row: Int64) throws {
        try append(stage, nil, nil, at: time, row: row)
    }

    /// Moves several messages of a conversation to `stage` and adds the step to each.
    @_spi(Log) public func append(
        _ stage: Stage, reason: LedgerEntry.Reason? = nil, detail: String? = nil, at time: Timestamp,
        to messages: [Message.ID],
        in conversation: Conversation.ID, account: AccountID, pending: Bool? = nil
    ) throws {
        for message in messages {
            try append(
                stage, reason: reason, detail: detail, at: time, to: message, in: conversation,
                account: account,
                pending: pending)
        }
    }

    /// Returns the steps of a message, oldest first; empty if the message does not exist.
    public func steps(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> [LedgerEntry] {
        guard let row = try transaction.messages.row(of: message, in: conversation, account: account) else {
            return []
        }
        return try transaction.all(
            "SELECT at, stage, reason, detail FROM ledger WHERE message = ? ORDER BY step", [row.stored]
        ) {
            LedgerEntry(
                at: $0.time(), stage: Stage(code: $0.int64()),
                reason: $0.optionalInt64().flatMap(LedgerEntry.Reason.init(rawValue:)),
                detail: $0.optionalText())
        }
    }

    func append(
        _ stage: Stage, _ reason: LedgerEntry.Reason?, _ detail: String?, at time: Timestamp, row: Int64
    ) throws {
        // SQLite would run INSERT ... SELECT from the same table through a temporary table.
        let sql = """
            INSERT INTO ledger (message, step, at, stage, reason, detail) VALUES
            (?1, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger WHERE message = ?1), ?2, ?3, ?4, ?5)
            """
        try transaction.run(sql) { $0.bind(row, stage, reason, detail, at: time) }
    }

    /// Adds the first step of a message that was just inserted.
    func begin(
        _ stage: Stage, _ reason: LedgerEntry.Reason?, _ detail: String?, at time: Timestamp, row: Int64
    ) throws {
        try transaction.run(
            "INSERT INTO ledger (message, step, at, stage, reason, detail) VALUES (?, 1, ?, ?, ?, ?)"
        ) { $0.bind(row, stage, reason, detail, at: time) }
    }

    /// Marks the shown messages of a conversation as closed, after its notification disappeared.
    @_spi(Log) public func closeShown(
        in conversation: Conversation.ID, account: AccountID, detail: String, at time: Timestamp
    ) throws {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND stage = ?
            ORDER BY created_at DESC, sequence DESC LIMIT 100
            """
        let shown: [Message.ID] = try transaction.all(
            sql, [account.stored, conversation.stored, Stage.shown.stored]
        ) { $0.id() }
        try append(.closed, detail: detail, at: time, to: shown, in: conversation, account: account)
    }
}

extension Binder {
    /// Binds the values of a step.
    fileprivate mutating func bind(
        _ row: Int64, _ stage: Stage, _ reason: LedgerEntry.Reason?, _ detail: String?, at time: Timestamp
    ) {
        bind(row)
        bind(time)
        bind(stage)
        bind(reason?.rawValue)
        bind(detail)
    }
}
