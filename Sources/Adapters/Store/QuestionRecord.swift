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
    /// Its pop-up's id at the notification server, and what the id is valid for.
    public let notification: UInt32?
    public let session: String?
}

extension QuestionRecord {
    static let columns =
        "id, kind, subject, by_popup, asked_at, answer, answered_at, notification, session"

    init(_ row: inout ColumnReader) {
        id = row.int64()
        kind = row.text()
        subject = row.optionalText()
        isByPopup = row.flag()
        askedAt = row.time()
        answer = row.optionalText().map { Answer(rawValue: $0) ?? .withdrawn }
        answeredAt = row.optionalTime()
        notification = row.optionalInt64().map { UInt32(truncatingIfNeeded: $0) }
        session = row.optionalText()
    }
}
