public import CutieAPI
public import NotificationPolicy

/// A notification that is visible, or a closed notification that may still be in the history of the server.
public struct NotificationRecord: Hashable, Sendable {
    public var owner: NotificationOwner
    /// The ID that the notification server assigned.
    public var notification: UInt32
    /// The session in which the ID is valid: boot ID, bus address and server name, joined by the caller. For
    /// a closed notification: the server instance (`Notifier.serverInstance`).
    public var session: String
    /// The number of messages in the notification.
    public var count: Int
    /// The log sequence number of the newest message in the notification.
    public var lastSequence: Int64
    public var shownAt: Timestamp

    public init(
        owner: NotificationOwner, notification: UInt32, session: String, count: Int = 1,
        lastSequence: Int64 = 0,
        shownAt: Timestamp
    ) {
        (self.owner, self.notification, self.session) = (owner, notification, session)
        (self.count, self.lastSequence, self.shownAt) = (count, lastSequence, shownAt)
    }
}

/// The tables of visible and closed notifications.
public struct NotificationTable {
    /// The maximum number of closed notifications in the table.
    static let endedLimit = 256
    let transaction: Transaction

    /// Stores a visible notification. Replaces the previous notification of the same owner.
    @_spi(Notifications) public func save(_ notification: NotificationRecord) throws {
        try transaction.run(
            """
            UPDATE popup SET notification = ?, session = ?, count = ?, last_sequence = ?, shown_at = ?
            WHERE conversation IS ?8 AND account IS ?7 AND kind = ?6 AND subject IS ?9
            """
        ) { $0.bind(notification) }
        guard transaction.changes == 0 else { return }
        try transaction.run(
            """
            INSERT INTO popup (notification, session, count, last_sequence, shown_at, kind, account,
            conversation, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ) { $0.bind(notification) }
    }

    /// Returns all visible notifications in the order in which they were shown. Omits notifications of
    /// unknown kinds.
    public func fetchAll() throws -> [NotificationRecord] {
        let sql = """
            SELECT kind, account, conversation, subject, notification, session, count, last_sequence, shown_at
            FROM popup ORDER BY shown_at, rowid
            """
        return try transaction.fetchAll(sql, [], NotificationRecord.decodeRecord).compactMap(\.self)
    }

    /// Stores a closed notification, so that the next run recognizes the ID when the user clicks the
    /// notification in the history of the server. Keeps only the newest `endedLimit` closed notifications.
    @_spi(Notifications) public func saveEnded(_ notification: NotificationRecord) throws {
        try transaction.run(
            """
            INSERT OR REPLACE INTO ended_popup (notification, session, count, last_sequence, shown_at, kind, account,
            conversation, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ) { $0.bind(notification) }
        try transaction.run(
            "DELETE FROM ended_popup WHERE place <= (SELECT MAX(place) FROM ended_popup) - \(Self.endedLimit)"
        )
    }

    /// Returns the closed notifications, oldest first.
    public func fetchEnded() throws -> [NotificationRecord] {
        let sql = """
            SELECT kind, account, conversation, subject, notification, session, count, last_sequence, shown_at
            FROM ended_popup ORDER BY place
            """
        return try transaction.fetchAll(sql, [], NotificationRecord.decodeRecord).compactMap(\.self)
    }

    @_spi(Notifications) public func removeNotification(of owner: NotificationOwner) throws {
        try transaction.run(
            "DELETE FROM popup WHERE kind = ? AND account IS ? AND conversation IS ? AND subject IS ?"
        ) { $0.bind(owner) }
    }

    @_spi(Notifications) public func removeAll() throws {
        try transaction.run("DELETE FROM popup")
        try transaction.run("DELETE FROM ended_popup")
    }

    /// Deletes all visible notifications that do not belong to `session`.
    @_spi(Notifications) public func removeAll(exceptThoseOf session: String) throws {
        try transaction.run("DELETE FROM popup WHERE session <> ?", [session.stored])
    }
}

extension NotificationRecord {
    fileprivate static func decodeRecord(from row: inout ColumnReader) -> NotificationRecord? {
        let (kind, account) = (row.readText(), row.readOptionalAccountID())
        let owner = NotificationOwner(
            kind: kind, account: account, conversation: row.readOptionalID(), subject: row.readOptionalText())
        let notification = UInt32(truncatingIfNeeded: row.readInt64())
        let session = row.readText()
        let (count, last, time) = (row.readInt(), row.readInt64(), row.readTime())
        return owner.map {
            NotificationRecord(
                owner: $0, notification: notification, session: session, count: count, lastSequence: last,
                shownAt: time)
        }
    }
}

extension NotificationOwner {
    fileprivate init?(kind: String, account: AccountID?, conversation: Conversation.ID?, subject: String?) {
        switch (kind, account, conversation, subject) {
        case ("reply", let account?, let conversation?, _): self = .reply(account, conversation)
        case ("summary", _, _, _): self = .summary
        case ("failure", _, _, let subject?):
            self = .failure(subject.split(separator: " ").map(String.init))
        case ("question", _, _, let subject?):
            guard let id = Int64(subject) else { return nil }
            self = .question(id)
        case ("outage", _, _, _): self = .outage
        case ("sign-in", let account?, _, _): self = .signIn(account)
        case ("reminder", let account?, let conversation?, _): self = .reminder(account, conversation)
        default: return nil
        }
    }

}

extension Binder {
    fileprivate mutating func bind(_ notification: NotificationRecord) {
        bind(notification.notification)
        bind(notification.session)
        bind(notification.count)
        bind(notification.lastSequence)
        bind(notification.shownAt)
        bind(notification.owner)
    }

    /// Binds the four columns that identify an owner: kind, account, conversation and subject.
    fileprivate mutating func bind(_ owner: NotificationOwner) {
        switch owner {
        case .reply(let account, let id): bind(kind: "reply", account: account, conversation: id)
        case .summary: bind(kind: "summary")
        case .failure(let items): bind(kind: "failure", subject: items.joined(separator: " "))
        case .question(let id): bind(kind: "question", subject: String(id))
        case .outage: bind(kind: "outage")
        case .signIn(let account): bind(kind: "sign-in", account: account)
        case .reminder(let account, let id): bind(kind: "reminder", account: account, conversation: id)
        }
    }

    private mutating func bind(
        kind: String, account: AccountID? = nil, conversation: Conversation.ID? = nil,
        subject: String? = nil
    ) {
        bind(kind)
        bind(account)
        bind(conversation)
        bind(subject)
    }
}
