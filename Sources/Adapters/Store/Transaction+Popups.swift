public import CutieAPI

/// A live pop-up. Its key is the account and the conversation; the one summary has neither.
public struct PopupRecord: Hashable, Sendable {
    public var account: AccountID?
    public var conversation: Conversation.ID?
    /// The notification server's id.
    public var notification: UInt32
    /// What the id is valid for: boot, bus address and server name, joined by the caller.
    public var session: String
    /// How many messages it stands for.
    public var count: Int
    public var firstSequence: Int64
    public var lastSequence: Int64
    public var shownAt: Timestamp

    public init(
        account: AccountID?, conversation: Conversation.ID?, notification: UInt32, session: String,
        count: Int,
        firstSequence: Int64, lastSequence: Int64, shownAt: Timestamp
    ) {
        self.account = account
        self.conversation = conversation
        self.notification = notification
        self.session = session
        self.count = count
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.shownAt = shownAt
    }
}

extension Transaction {
    /// Writes a pop-up, in place of the one with its key.
    public func save(_ popup: PopupRecord) throws {
        try deletePopup(account: popup.account, conversation: popup.conversation)
        try run(
            "INSERT INTO popup (\(PopupRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                popup.account?.stored, popup.conversation?.stored, popup.notification.stored,
                popup.session.stored, popup.count.stored, popup.firstSequence.stored,
                popup.lastSequence.stored,
                popup.shownAt.stored,
            ])
    }

    /// All of them, the one shown first at the front.
    public func popups() throws -> [PopupRecord] {
        try all("SELECT \(PopupRecord.columns) FROM popup ORDER BY shown_at, rowid", [], PopupRecord.init(_:))
    }

    public func deletePopup(account: AccountID?, conversation: Conversation.ID?) throws {
        try run(
            "DELETE FROM popup WHERE account IS ? AND conversation IS ?",
            [account?.stored, conversation?.stored])
    }

    public func deletePopups() throws {
        try run("DELETE FROM popup")
    }

    /// Forgets the pop-ups whose ids are not valid in `session`.
    public func deletePopups(notOf session: String) throws {
        try run("DELETE FROM popup WHERE session <> ?", [session.stored])
    }
}

extension PopupRecord {
    fileprivate static let columns =
        "account, conversation, notification, session, count, first_sequence, last_sequence, shown_at"

    fileprivate init(_ row: inout ColumnReader) {
        account = row.optionalAccount()
        conversation = row.optionalID()
        notification = UInt32(truncatingIfNeeded: row.int64())
        session = row.text()
        count = row.int()
        firstSequence = row.int64()
        lastSequence = row.int64()
        shownAt = row.time()
    }
}
