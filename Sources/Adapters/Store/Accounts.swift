public import CutieAPI

/// An account of an API, as stored in the database.
public struct AccountRecord: Hashable, Sendable {
    /// The type of an account.
    public enum Kind: String, Sendable {
        /// An anonymous device of the user, which belongs to one app.
        case device
        /// A member of the app's support staff.
        case staff
        /// A signed-in user of an institution. Several programs share the identity of the user. The account
        /// receives no messages.
        case identity
    }

    public let id: AccountID
    public let name: String
    /// The App ID of a device account; empty for other accounts.
    public let appID: String
    public let apiURL: String
    public internal(set) var kind: Kind
    /// The device ID of a device account; `nil` for other accounts.
    public let deviceID: DeviceID?
    /// The device token that an earlier version stored in the database; `nil` if the database contains no
    /// token.
    public var legacyToken: String?
    /// The ID of the last processed event.
    public var cursor: Event.ID?
    /// The time at which the first sync completed; `nil` if it has not completed.
    public var syncedAt: Timestamp?
    /// The number of unread messages according to the server; `nil` if unknown.
    public var unread: Int?
    public var lastEventAt: Timestamp?
}

/// The table of accounts with their sync state.
public struct AccountTable {
    let transaction: Transaction

    /// Returns the account with this name, App ID and API address, or creates the account. If an existing
    /// account has no device ID, its kind is changed to `kind`.
    ///
    /// - Parameter makeDeviceID: called only if a new device account is created.
    @_spi(EventLog) public func findOrCreate(
        name: String, appID: String, apiURL: String, kind: AccountRecord.Kind = .device,
        makeDeviceID: () -> DeviceID?
    ) throws -> AccountRecord {
        let key: Values = [name.stored, appID.stored, apiURL.stored]
        let sql = "SELECT \(AccountRecord.columns) FROM account WHERE name = ? AND app_id = ? AND api_url = ?"
        if let known = try transaction.fetchOne(sql, key, AccountRecord.init(_:)) {
            return try known.deviceID != nil ? known : known.updateKind(to: kind, in: transaction)
        }
        let device = kind == .device ? makeDeviceID() : nil
        try transaction.run(
            "INSERT INTO account (name, app_id, api_url, kind, device_id) VALUES (?, ?, ?, ?, ?)",
            key + [kind.rawValue.stored, device?.stored])
        return AccountRecord(
            id: AccountID(rawValue: transaction.lastInsertedRow), name: name, appID: appID, apiURL: apiURL,
            kind: kind, deviceID: device)
    }

    /// Returns all accounts in the database, including accounts that are no longer configured.
    public func fetchAll() throws -> [AccountRecord] {
        try transaction.fetchAll(
            "SELECT \(AccountRecord.columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    /// Returns all accounts of a database of any schema version. If the column `kind` is missing, every
    /// account is a device account.
    func fetchAllFromAnySchemaVersion() throws -> [AccountRecord] {
        let hasKinds = try transaction.fetchCount(
            "SELECT COUNT(*) FROM pragma_table_info('account') WHERE name = 'kind'")
        guard hasKinds == 0 else { return try fetchAll() }
        let columns = AccountRecord.columns.replacing("kind", with: "'\(AccountRecord.Kind.device.rawValue)'")
        return try transaction.fetchAll(
            "SELECT \(columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    public func find(_ id: AccountID) throws -> AccountRecord? {
        try transaction.fetchOne(Self.selectAccount, [id.stored], AccountRecord.init(_:))
    }

    private static let selectAccount = "SELECT \(AccountRecord.columns) FROM account WHERE id = ?"

    /// Sets the device ID. If the ID changes, also deletes the data of the previous device: the token, the
    /// cursor and the time of the first sync.
    @_spi(EventLog) public func setDeviceID(_ device: DeviceID, of account: AccountID) throws {
        try transaction.run(
            """
            UPDATE account SET device_id = ?, device_token = NULL, cursor = NULL, synced_at = NULL
            WHERE id = ? AND device_id IS NOT ?
            """, [device.stored, account.stored, device.stored])
    }

    /// Deletes the device token, which is now in the secret store. The caller must then call
    /// `MessageStore.wipeFreedPages()`, because the database files may still contain the token.
    @_spi(EventLog) public func deleteLegacyToken(of account: AccountID) throws {
        try transaction.run("UPDATE account SET device_token = NULL WHERE id = ?", [account.stored])
    }

    @_spi(EventLog) public func setCursor(_ cursor: Event.ID?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET cursor = ? WHERE id = ?", [cursor?.stored, account.stored])
    }

    /// Stores the time at which the first sync completed. If `time` is `nil`, the account repeats the first
    /// sync.
    @_spi(EventLog) public func setFirstSyncTime(_ time: Timestamp?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET synced_at = ? WHERE id = ?", [time?.stored, account.stored])
    }

    /// Stores the number of unread messages according to the server.
    @_spi(EventLog) public func setUnreadCount(_ unread: Int?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET unread = ? WHERE id = ?", [unread?.stored, account.stored])
    }

    /// The position in an account's event stream.
    public struct Progress: Sendable {
        let cursor: Event.ID?
        let time: Timestamp

        /// Creates a position.
        ///
        /// - Parameter cursor: the ID of the last processed event; `nil` to keep the stored cursor.
        public init(cursor: Event.ID?, at time: Timestamp) { (self.cursor, self.time) = (cursor, time) }
    }

    /// Stores the progress and the number of unread messages according to the server.
    @_spi(EventLog) public func setProgress(
        _ progress: Progress, unreadCount unread: Int?, of account: AccountID
    ) throws {
        try transaction.run(
            "UPDATE account SET cursor = COALESCE(?, cursor), last_event_at = ?, unread = ? WHERE id = ?"
        ) {
            $0.bind(progress.cursor)
            $0.bind(progress.time)
            $0.bind(unread)
            $0.bind(account)
        }
    }

    /// Deletes all conversations, messages and message IDs of an account, so that the account repeats the
    /// first sync. Does not change the outbox.
    @_spi(EventLog) public func resetHistory(of account: AccountID) throws {
        try transaction.fullText.updateIndex()
        for table in ["message", "seen_message", "conversation", "unfetched"] {
            try transaction.run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
        try setFirstSyncTime(nil, of: account)
        try setUnreadCount(nil, of: account)
    }

    /// Deletes the conversations, messages, marks, reminders and outbox of an account, but not the account.
    @_spi(EventLog) public func deleteHistoryAndOutbox(of account: AccountID) throws {
        try resetHistory(of: account)
        for table in ["outbox", "conversation_mark", "reminder"] {
            try transaction.run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
    }
}

extension AccountRecord {
    /// Changes the stored kind of the account. Returns the changed account.
    fileprivate func updateKind(to kind: Kind, in transaction: Transaction) throws -> AccountRecord {
        guard kind != self.kind else { return self }
        try transaction.run("UPDATE account SET kind = ? WHERE id = ?", [kind.rawValue.stored, id.stored])
        var changed = self
        changed.kind = kind
        return changed
    }

    fileprivate static let columns =
        """
        id, name, app_id, api_url, kind, device_id, device_token, cursor, synced_at, unread, last_event_at
        """

    fileprivate init(_ row: inout ColumnReader) {
        id = row.readAccountID()
        name = row.readText()
        appID = row.readText()
        apiURL = row.readText()
        kind = Kind(rawValue: row.readText()) ?? .device
        deviceID = row.readOptionalID()
        legacyToken = row.readOptionalText()
        cursor = row.readOptionalID()
        syncedAt = row.readOptionalTime()
        unread = row.readOptionalInt()
        lastEventAt = row.readOptionalTime()
    }
}

/// An account that another app passed to the daemon.
public struct HandedOverAccountRecord: Hashable, Sendable {
    /// The name of the account in the configuration and in the database.
    public let name: String
    public let appID: String
    public let apiURL: String
    public let appName: String?
    public let groupID: String?
    public let addedAt: Timestamp

    public init(
        name: String, appID: String, apiURL: String, appName: String?, groupID: String?, addedAt: Timestamp
    ) {
        (self.name, self.appID, self.apiURL) = (name, appID, apiURL)
        (self.appName, self.groupID, self.addedAt) = (appName, groupID, addedAt)
    }
}

/// The table of accounts that other apps passed to the daemon.
public struct HandedOverAccountTable {
    let transaction: Transaction

    /// Returns all accounts in the order of their insertion.
    public func fetchAll() throws -> [HandedOverAccountRecord] {
        try transaction.fetchAll(
            "SELECT name, app_id, api_url, app_name, group_id, added_at FROM app ORDER BY added_at, name"
        ) {
            HandedOverAccountRecord(
                name: $0.readText(), appID: $0.readText(), apiURL: $0.readText(),
                appName: $0.readOptionalText(),
                groupID: $0.readOptionalText(), addedAt: $0.readTime())
        }
    }

    /// Adds an account.
    ///
    /// - Throws: an error if an account with this name exists.
    @_spi(Accounts) public func add(_ app: HandedOverAccountRecord) throws {
        try transaction.run(
            "INSERT INTO app (name, app_id, api_url, app_name, group_id, added_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                app.name.stored, app.appID.stored, app.apiURL.stored, app.appName?.stored,
                app.groupID?.stored,
                app.addedAt.stored,
            ])
    }

    /// Removes an account.
    ///
    /// - Returns: `false` if no account has this name.
    @_spi(Accounts) public func remove(named name: String) throws -> Bool {
        try transaction.run("DELETE FROM app WHERE name = ?", [name.stored])
        return transaction.changes > 0
    }
}
