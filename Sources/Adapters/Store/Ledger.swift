public import CutieAPI

/// Where a message is on its way to the person.
public enum Stage: String, CaseIterable, Sendable {
    case received, stored, announcing, shown, held, closed, read
}

extension Stage {
    /// How it is written. Never 0 or 1, so that every stage takes the same room in a row: a change of
    /// stage then overwrites a long message's row in place.
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

    /// `received` for a code this version does not know.
    init(code: Int64) {
        self = Stage.allCases.first { $0.code == code } ?? .received
    }
}

/// One step in the life of a message.
public struct LedgerEntry: Hashable, Sendable {
    /// What it says beside its detail. The numbers are in databases.
    public enum Reason: Int64, Sendable {
        /// One of our own calls made the message.
        case answered = 1
        /// It will never be shown; the detail says why.
        case notShown = 2
        /// It is shown in the pop-up for several conversations; the detail says in which.
        case summary = 3
    }

    public let at: Timestamp
    public let stage: Stage
    public let reason: Reason?
    /// The pop-up's id, or why it was not shown.
    public let detail: String?

    public init(at: Timestamp, stage: Stage, reason: Reason? = nil, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.reason = reason
        self.detail = detail
    }
}

/// The life of each message, step by step.
public struct LedgerTable {
    let transaction: Transaction

    /// Moves a message to `stage` and writes that down; `pending` nil leaves it as it is. False when
    /// the message is not here any more.
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

    /// The same for the message of a row that still waits to be announced, else false: what was read meanwhile
    /// stays read.
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

    /// Writes a step down that changes nothing of the message.
    @_spi(Log) public func note(_ stage: Stage, at time: Timestamp, row: Int64) throws {
        try append(stage, nil, nil, at: time, row: row)
    }

    /// The same step for several messages of a thread.
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

    /// The steps of a message, oldest first; none when it is not here.
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
        // INSERT ... SELECT from the same table would first be copied into a temporary one, made each time.
        let sql = """
            INSERT INTO ledger (message, step, at, stage, reason, detail) VALUES
            (?1, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger WHERE message = ?1), ?2, ?3, ?4, ?5)
            """
        try transaction.run(sql) { $0.bind(row, stage, reason, detail, at: time) }
    }

    /// The first step of a message that was just inserted.
    func begin(
        _ stage: Stage, _ reason: LedgerEntry.Reason?, _ detail: String?, at time: Timestamp, row: Int64
    ) throws {
        try transaction.run(
            "INSERT INTO ledger (message, step, at, stage, reason, detail) VALUES (?, 1, ?, ?, ?, ?)"
        ) { $0.bind(row, stage, reason, detail, at: time) }
    }

    /// The pop-up of a thread is gone: what it showed was closed.
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
    /// The values of a step.
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
