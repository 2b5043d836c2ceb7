public import CutieAPI
internal import GRDB

extension Transaction {
    /// Asks and returns the question's id.
    public func ask(
        _ kind: String, about subject: String?, byPopup: Bool, at time: Timestamp
    ) throws -> Int64 {
        try run(
            "INSERT INTO question (kind, subject, by_popup, asked_at) VALUES (?, ?, ?, ?)",
            [kind.stored, subject?.stored, byPopup.stored, time.stored])
        return database.lastInsertedRowID
    }

    public func question(_ id: Int64) throws -> QuestionRecord? {
        try first(
            "SELECT \(QuestionRecord.columns) FROM question WHERE id = ?", [id.stored],
            QuestionRecord.init(_:))
    }

    /// Oldest first.
    public func openQuestions() throws -> [QuestionRecord] {
        try all(
            "SELECT \(QuestionRecord.columns) FROM question WHERE answer IS NULL ORDER BY id", [],
            QuestionRecord.init(_:))
    }

    /// The last one of its kind, open or not.
    public func newestQuestion(of kind: String) throws -> QuestionRecord? {
        try first(
            "SELECT \(QuestionRecord.columns) FROM question WHERE kind = ? ORDER BY id DESC LIMIT 1",
            [kind.stored],
            QuestionRecord.init(_:))
    }

    /// False where it was answered before; that the person closed it is no answer.
    public func answer(
        _ id: Int64, with answer: QuestionRecord.Answer, at time: Timestamp
    ) throws -> Bool {
        try run(
            """
            UPDATE question SET answer = ?, answered_at = ?, subject = NULL
            WHERE id = ? AND (answer IS NULL OR answer = 'closed')
            """, [answer.rawValue.stored, time.stored, id.stored])
        return changes > 0
    }

    public func setPopup(_ notification: UInt32?, session: String?, ofQuestion id: Int64) throws {
        try run(
            "UPDATE question SET notification = ?, session = ? WHERE id = ?",
            [notification?.stored, session?.stored, id.stored])
    }
}
