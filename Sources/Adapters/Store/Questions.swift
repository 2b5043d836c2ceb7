public import CutieAPI

/// Something that only the person can decide, and what became of it.
public struct QuestionRecord: Hashable, Sendable {
    public enum Answer: String, Sendable {
        case allow, refuse
        /// The person closed the pop-up: nothing was decided, and it is not asked again.
        case closed
        /// It does not matter any more.
        case withdrawn
    }

    public let id: Int64
    public let kind: String
    /// What it is about; gone with the answer, as it may hold a token.
    public let subject: String?
    /// Else only a terminal asks it.
    public let isByPopup: Bool
    public let askedAt: Timestamp
    /// nil: it is open.
    public let answer: Answer?
    public let answeredAt: Timestamp?
}

/// What was asked of the person.
public struct QuestionTable {
    let transaction: Transaction

    /// Asks and returns the question's id.
    @_spi(Screen) public func ask(
        _ kind: String, about subject: String?, byPopup: Bool, at time: Timestamp
    ) throws -> Int64 {
        try transaction.run(
            "INSERT INTO question (kind, subject, by_popup, asked_at) VALUES (?, ?, ?, ?)",
            [kind.stored, subject?.stored, byPopup.stored, time.stored])
        return transaction.lastRow
    }

    public func find(_ id: Int64) throws -> QuestionRecord? {
        try transaction.first(
            "SELECT \(QuestionRecord.columns) FROM question WHERE id = ?", [id.stored],
            QuestionRecord.init(_:))
    }

    /// Oldest first.
    public func open() throws -> [QuestionRecord] {
        try transaction.all(
            "SELECT \(QuestionRecord.columns) FROM question WHERE answer IS NULL ORDER BY id", [],
            QuestionRecord.init(_:))
    }

    /// The last one of its kind, open or not.
    public func newest(of kind: String) throws -> QuestionRecord? {
        try transaction.first(
            "SELECT \(QuestionRecord.columns) FROM question WHERE kind = ? ORDER BY id DESC LIMIT 1",
            [kind.stored],
            QuestionRecord.init(_:))
    }

    /// False where it was answered before; that the person closed it is no answer.
    @_spi(Screen) public func answer(
        _ id: Int64, with answer: QuestionRecord.Answer, at time: Timestamp
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
        id = row.int64()
        kind = row.text()
        subject = row.optionalText()
        isByPopup = row.flag()
        askedAt = row.time()
        answer = row.optionalText().map { Answer(rawValue: $0) ?? .withdrawn }
        answeredAt = row.optionalTime()
    }
}
