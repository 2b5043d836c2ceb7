public import CutieAPI

/// The stage of a message on the way from the server to the user.
public enum LedgerStage: String, CaseIterable, Sendable {
    case received, stored, announcing, shown, held, closed, read
}

extension LedgerStage {
    /// The stored value of the stage. The values 0 and 1 are not used, because SQLite stores them in fewer
    /// bytes. If all values have the same size, SQLite can overwrite the row of a long message in place.
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

    /// Creates the stage for a code; `received` if the code is unknown.
    init(code: Int64) {
        self = LedgerStage.allCases.first { $0.code == code } ?? .received
    }
}

/// A step in the processing of a message: the stage that the message reached, and the time.
public struct LedgerEntry: Hashable, Sendable {
    /// The reason for a step in the ledger. The raw values are stored in the database.
    public enum StepReason: Int64, Sendable {
        /// The message was part of the response to a request of this daemon.
        case answered = 1
        /// The message will never be shown. `detail` is the reason.
        case notShown = 2
        /// The message was counted in the summary notification. `detail` is the ID of the notification.
        case summary = 3
    }

    public let at: Timestamp
    public let stage: LedgerStage
    public let reason: StepReason?
    /// The ID of the notification, or the reason why no notification was shown; `nil` for other steps.
    public let detail: String?

    public init(at: Timestamp, stage: LedgerStage, reason: StepReason? = nil, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.reason = reason
        self.detail = detail
    }
}

/// The ledger: the processing steps of all messages.
public struct LedgerTable {
    let transaction: Transaction

    /// Moves a message to `stage` and adds a step to the ledger.
    ///
    /// - Parameter isPendingAfterwards: whether the message is pending after the step; `nil` to keep the
    ///   current value.
    /// - Returns: `false` if the message no longer exists.
    @_spi(EventLog) @discardableResult
    public func append(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason? = nil, detail: String? = nil,
        at time: Timestamp,
        to message: Message.ID,
        in conversation: Conversation.ID, account: AccountID, isPendingAfterwards: Bool? = nil
    ) throws -> Bool {
        guard let row = try transaction.messages.findRow(of: message, in: conversation, account: account)
        else {
            return false
        }
        try transaction.run(
            "UPDATE message SET stage = ?, pending = COALESCE(?, pending > 0) WHERE row = ?",
            [stage.stored, isPendingAfterwards?.stored, row.stored])
        guard transaction.changes > 0 else { return false }
        try storeStep(stage, reason: reason, detail: detail, at: time, toRow: row)
        return true
    }

    /// Moves a pending message to `stage` and adds a step to the ledger. Has no effect if the message is no
    /// longer pending, for example because the user read it.
    ///
    /// - Parameter isPendingAfterwards: whether the message stays pending.
    /// - Returns: `false` if the message was not pending.
    @_spi(EventLog) public func appendIfPending(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason? = nil, detail: String? = nil,
        at time: Timestamp,
        toRow row: Int64, isPendingAfterwards: Bool
    ) throws -> Bool {
        if try appendUsualStepIfPending(
            stage, reason: reason, detail: detail, at: time, toRow: row,
            isPendingAfterwards: isPendingAfterwards)
        {
            return true
        }
        try transaction.run(Self.movedIfPending) {
            $0.bind(stage)
            $0.bind(isPendingAfterwards)
            $0.bind(row)
        }
        guard transaction.changes > 0 else { return false }
        try storeStep(stage, reason: reason, detail: detail, at: time, toRow: row)
        return true
    }

    /// Moves a pending message to `stage` and stores the step in columns of the message. Uses one statement
    /// for the stage and the step, because each UPDATE rewrites the whole row.
    ///
    /// - Returns: `false` if the message is not pending, or if the step cannot be stored in columns.
    private func appendUsualStepIfPending(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason?, detail: String?, at time: Timestamp,
        toRow row: Int64, isPendingAfterwards pending: Bool
    ) throws -> Bool {
        switch stage {
        case .announcing where pending && reason == nil && detail == nil:
            try transaction.run(Self.announcedIfPending) {
                $0.bind(row)
                $0.bind(time)
            }
        case .shown where !pending:
            try transaction.run(Self.shownIfPending) {
                $0.bind(row)
                $0.bind(time)
                $0.bind(reason?.rawValue)
                $0.bind(detail)
            }
        default: return false
        }
        return transaction.changes > 0
    }

    /// The statement that moves a pending message to a stage. If the message becomes held, the statement sets
    /// `pending` to 1, which adds the message to the index of pending messages. If the message stays pending
    /// in another stage, `pending` does not change.
    private static let movedIfPending = """
        UPDATE message SET stage = ?1, pending = CASE WHEN ?2 = 0 THEN 0
        WHEN ?1 = \(LedgerStage.held.code) THEN 1 ELSE pending END WHERE row = ?3 AND pending > 0
        """
    private static let announcedIfPending = """
        UPDATE message SET stage = \(LedgerStage.announcing.code), announced_at = ?2
        WHERE row = ?1 AND pending > 0 AND announced_at IS NULL AND \(hasNoFurtherStep)
        """
    private static let shownIfPending = """
        UPDATE message SET stage = \(LedgerStage.shown.code), pending = 0, shown_at = ?2, shown_reason = ?3,
        shown_detail = ?4 WHERE row = ?1 AND pending > 0 AND \(hasNoFurtherStep)
        """

    /// Adds a step to the ledger without changing the stage of the message.
    @_spi(EventLog) public func addStep(_ stage: LedgerStage, at time: Timestamp, toRow row: Int64) throws {
        try storeStep(stage, reason: nil, detail: nil, at: time, toRow: row)
    }

    /// Moves several messages of a conversation to `stage` and adds a step for each.
    ///
    /// - Parameter isPendingAfterwards: whether the messages are pending after the step; `nil` to keep the
    ///   current values.
    @_spi(EventLog) public func append(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason? = nil, detail: String? = nil,
        at time: Timestamp,
        to messages: [Message.ID],
        in conversation: Conversation.ID, account: AccountID, isPendingAfterwards: Bool? = nil
    ) throws {
        // Use one statement for many messages, because a statement per message would block the store for
        // seconds.
        if messages.count > Self.fewMessages {
            return try appendToAll(
                stage, reason: reason, detail: detail, at: time, to: messages, in: conversation,
                account: account,
                isPendingAfterwards: isPendingAfterwards)
        }
        for message in messages {
            try append(
                stage, reason: reason, detail: detail, at: time, to: message, in: conversation,
                account: account,
                isPendingAfterwards: isPendingAfterwards)
        }
    }

    /// Returns the steps of a message, oldest first; empty if the message does not exist.
    public func fetchSteps(
        of message: Message.ID, in conversation: Conversation.ID, account: AccountID
    ) throws -> [LedgerEntry] {
        guard let row = try transaction.messages.findRow(of: message, in: conversation, account: account)
        else {
            return []
        }
        let first = try transaction.fetchOne(Self.stepsOfMessage, [row.stored]) {
            LedgerEntry.decodeSteps(from: &$0)
        }
        return try (first ?? [])
            + transaction.fetchAll(
                "SELECT at, stage, reason, detail FROM ledger WHERE message = ? ORDER BY step", [row.stored],
                LedgerEntry.init(_:))
    }

    private static let stepsOfMessage = """
        SELECT stored_at, stored_stage, stored_reason, stored_detail, announced_at, shown_at, shown_reason,
        shown_detail FROM message WHERE row = ?
        """

    /// Adds a step to the ledger. Stores the usual steps of a reply in columns of the message, because rows
    /// in the table `ledger` would cost two more page writes per reply. Stores other steps in the table.
    private func storeStep(
        _ stage: LedgerStage, reason: LedgerEntry.StepReason?, detail: String?, at time: Timestamp,
        toRow row: Int64
    ) throws {
        if stage == .announcing, reason == nil, detail == nil {
            try transaction.run(Self.announced) {
                $0.bind(row)
                $0.bind(time)
            }
            if transaction.changes > 0 { return }
        } else if stage == .shown {
            try transaction.run(Self.shown) {
                $0.bind(row)
                $0.bind(time)
                $0.bind(reason?.rawValue)
                $0.bind(detail)
            }
            if transaction.changes > 0 { return }
        }
        try transaction.run(Self.furtherStep) {
            $0.bind(row)
            $0.bind(time)
            $0.bind(stage)
            $0.bind(reason?.rawValue)
            $0.bind(detail)
        }
    }

    private static let announced = """
        UPDATE message SET announced_at = ?2 WHERE row = ?1 AND announced_at IS NULL AND \(hasNoFurtherStep)
        """
    private static let shown = """
        UPDATE message SET shown_at = ?2, shown_reason = ?3, shown_detail = ?4
        WHERE row = ?1 AND \(hasNoFurtherStep)
        """
    /// The SQL condition for storing the next step in columns of the message: the column `shown_at` is NULL,
    /// and the table `ledger` contains no step of the message. Earlier versions stored all steps in the table
    /// `ledger`.
    private static let hasNoFurtherStep =
        "shown_at IS NULL AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.message = message.row)"
    /// The statement that adds a step to the table `ledger`. The statement uses VALUES instead of INSERT ...
    /// SELECT, because SQLite would create a temporary table for the latter.
    private static let furtherStep = """
        INSERT INTO ledger (message, step, at, stage, reason, detail) VALUES
        (?1, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger WHERE message = ?1), ?2, ?3, ?4, ?5)
        """

    /// Marks the shown messages of a conversation (at most the newest 100) as closed. Called when their
    /// notification is closed.
    @_spi(EventLog) public func markShownMessagesAsClosed(
        in conversation: Conversation.ID, account: AccountID, detail: String, at time: Timestamp
    ) throws {
        let sql = """
            SELECT id FROM message WHERE account = ? AND conversation = ? AND stage = ?
            ORDER BY created_at DESC, sequence DESC LIMIT 100
            """
        let shown: [Message.ID] = try transaction.fetchAll(
            sql, [account.stored, conversation.stored, LedgerStage.shown.stored]
        ) { $0.readID() }
        try append(.closed, detail: detail, at: time, to: shown, in: conversation, account: account)
    }
}

extension LedgerEntry {
    fileprivate init(_ row: inout ColumnReader) {
        self.init(at: row.readTime(), row: &row)
    }

    /// Decodes a step whose time was already read from the row.
    private init(at time: Timestamp, row: inout ColumnReader) {
        at = time
        stage = LedgerStage(code: row.readInt64())
        reason = row.decodeReason()
        detail = row.readOptionalText()
    }

    /// Decodes the steps that are stored in columns of a message.
    fileprivate static func decodeSteps(from row: inout ColumnReader) -> [LedgerEntry] {
        // If `stored_at` is NULL, an earlier version stored all steps in the table `ledger`.
        guard let storedAt = row.readOptionalTime() else { return [] }
        let stored = LedgerEntry(at: storedAt, row: &row)
        let announced = row.readOptionalTime().map { LedgerEntry(at: $0, stage: .announcing) }
        let shown = row.readOptionalTime().map {
            LedgerEntry(
                at: $0, stage: .shown, reason: row.decodeReason(), detail: row.readOptionalText())
        }
        return [stored, announced, shown].compactMap(\.self)
    }
}

extension ColumnReader {
    fileprivate mutating func decodeReason() -> LedgerEntry.StepReason? {
        readOptionalInt64().flatMap(LedgerEntry.StepReason.init(rawValue:))
    }
}
