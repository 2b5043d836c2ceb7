public import CutieAPI

/// A question that only the user can answer, and the answer.
public struct QuestionRecord: Hashable, Sendable {
    /// The answer of the user, or the reason why the question no longer needs an answer.
    public enum Answer: String, Sendable {
        case allow, refuse
        /// The user closed the notification without answering, so the question is not shown again.
        case closed
        /// The question is no longer relevant.
        case withdrawn
    }

    public let id: Int64
    public let kind: String
    /// The subject of the question; `nil` if the question was answered. The subject is deleted after the
    /// answer, because a subject may contain a token.
    public let subject: String?
    /// Whether the question is shown as a notification. If `false`, the question is shown only in a terminal.
    public let isAskedByNotification: Bool
    public let askedAt: Timestamp
    /// The answer to the question; `nil` if the question is pending.
    public let answer: Answer?
    public let answeredAt: Timestamp?
}

/// The table of pending and answered questions.
public struct QuestionTable {
    let transaction: Transaction

    /// Adds a question.
    ///
    /// - Returns: the ID of the question.
    @_spi(Notifications) public func insertQuestion(
        ofKind kind: String, about subject: String?, isAskedByNotification: Bool, at time: Timestamp
    ) throws -> Int64 {
        try transaction.run(
            "INSERT INTO question (kind, subject, by_popup, asked_at) VALUES (?, ?, ?, ?)",
            [kind.stored, subject?.stored, isAskedByNotification.stored, time.stored])
        return transaction.lastInsertedRow
    }

    public func find(_ id: Int64) throws -> QuestionRecord? {
        try transaction.fetchOne(
            "SELECT \(QuestionRecord.columns) FROM question WHERE id = ?", [id.stored],
            QuestionRecord.init(_:))
    }

    /// Returns the pending questions, oldest first.
    public func fetchOpen() throws -> [QuestionRecord] {
        try transaction.fetchAll(
            "SELECT \(QuestionRecord.columns) FROM question WHERE answer IS NULL ORDER BY id", [],
            QuestionRecord.init(_:))
    }

    /// Returns the newest question of a kind, pending or answered; `nil` if there is no such question.
    public func findNewest(ofKind kind: String) throws -> QuestionRecord? {
        try transaction.fetchOne(
            "SELECT \(QuestionRecord.columns) FROM question WHERE kind = ? ORDER BY id DESC LIMIT 1",
            [kind.stored],
            QuestionRecord.init(_:))
    }

    /// Stores an answer. The user can still answer a question after closing its notification.
    ///
    /// - Returns: `false` if the question was already answered.
    @_spi(Notifications) public func recordAnswer(
        toQuestion id: Int64, answer: QuestionRecord.Answer, at time: Timestamp
    ) throws -> Bool {
        try transaction.run(
            """
            UPDATE question SET answer = ?, answered_at = ?, subject = NULL
            WHERE id = ? AND (answer IS NULL OR answer = 'closed')
            """, [answer.rawValue.stored, time.stored, id.stored])
        return transaction.changes > 0
    }
}

extension QuestionRecord {
    static let columns =
        "id, kind, subject, by_popup, asked_at, answer, answered_at"

    init(_ row: inout ColumnReader) {
        id = row.readInt64()
        kind = row.readText()
        subject = row.readOptionalText()
        isAskedByNotification = row.readFlag()
        askedAt = row.readTime()
        answer = row.readOptionalText().map { Answer(rawValue: $0) ?? .withdrawn }
        answeredAt = row.readOptionalTime()
    }
}
