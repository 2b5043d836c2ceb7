public import CutieAPI

/// An account of one API address, as stored in the database.
public struct AccountRecord: Hashable, Sendable {
    /// The kind of API user.
    public enum Kind: String, Sendable {
        /// A user's device of an app.
        case device
        /// A member of an app's staff.
        case staff
        /// A user's identity that several programs share. It receives no messages.
        case identity
    }

    public let id: AccountID
    public let name: String
    /// The app id of a device's account; empty for accounts with a sign-in.
    public let appID: String
    public let apiURL: String
    public internal(set) var kind: Kind
    /// The device id; `nil` unless the account belongs to a device.
    public let deviceID: DeviceID?
    /// The token, if an earlier version stored it in this database.
    public var legacyToken: String?
    /// The id of the last processed event.
    public var cursor: Event.ID?
    /// The time at which the first sync was complete; `nil` before that.
    public var syncedAt: Timestamp?
    /// The server's total of unread messages; `nil` if unknown.
    public var unread: Int?
    public var lastEventAt: Timestamp?
}

/// The accounts and their state of synchronization.
public struct AccountTable {
    let transaction: Transaction

    /// Returns the account with this name, app and address, and creates it if necessary. An existing account
    /// with a device id keeps its kind; otherwise its kind changes to `kind`.
    ///
    /// - Parameter makeDeviceID: called only if a new account of the kind `device` is created.
    @_spi(EventLog) public func findOrCreate(
        name: String, appID: String, apiURL: String, kind: AccountRecord.Kind = .device,
        makeDeviceID: () -> DeviceID?
    ) throws -> AccountRecord {
        let key: Values = [name.stored, appID.stored, apiURL.stored]
        let sql = "SELECT \(AccountRecord.columns) FROM account WHERE name = ? AND app_id = ? AND api_url = ?"
        if let known = try transaction.first(sql, key, AccountRecord.init(_:)) {
            return try known.deviceID != nil ? known : known.of(kind, in: transaction)
        }
        let device = kind == .device ? makeDeviceID() : nil
        try transaction.run(
            "INSERT INTO account (name, app_id, api_url, kind, device_id) VALUES (?, ?, ?, ?, ?)",
            key + [kind.rawValue.stored, device?.stored])
        return AccountRecord(
            id: AccountID(rawValue: transaction.lastRow), name: name, appID: appID, apiURL: apiURL,
            kind: kind, deviceID: device)
    }

    /// Returns all accounts ever created, including those that are no longer in the configuration.
    public func all() throws -> [AccountRecord] {
        try transaction.all(
            "SELECT \(AccountRecord.columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    /// Returns all accounts of a database that may not have been migrated yet: before kinds existed, every
    /// account was a device's.
    func allVersions() throws -> [AccountRecord] {
        let hasKinds = try transaction.count(
            "SELECT COUNT(*) FROM pragma_table_info('account') WHERE name = 'kind'")
        guard hasKinds == 0 else { return try all() }
        let columns = AccountRecord.columns.replacing("kind", with: "'\(AccountRecord.Kind.device.rawValue)'")
        return try transaction.all(
            "SELECT \(columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    public func find(_ id: AccountID) throws -> AccountRecord? {
        try transaction.first(Self.selectAccount, [id.stored], AccountRecord.init(_:))
    }

    private static let selectAccount = "SELECT \(AccountRecord.columns) FROM account WHERE id = ?"

    /// Sets the device id. A change of the id also deletes the token and the cursor, which belong to the
    /// former device.
    @_spi(EventLog) public func setDeviceID(_ device: DeviceID, of account: AccountID) throws {
        try transaction.run(
            """
            UPDATE account SET device_id = ?, device_token = NULL, cursor = NULL, synced_at = NULL
            WHERE id = ? AND device_id IS NOT ?
            """, [device.stored, account.stored, device.stored])
    }

    /// Deletes the token, which is now stored elsewhere. Call `MessageStore.wipe()` afterward, because the
    /// file may still contain the token.
    @_spi(EventLog) public func deleteLegacyToken(of account: AccountID) throws {
        try transaction.run("UPDATE account SET device_token = NULL WHERE id = ?", [account.stored])
    }

    @_spi(EventLog) public func setCursor(_ cursor: Event.ID?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET cursor = ? WHERE id = ?", [cursor?.stored, account.stored])
    }

    /// Stores the time at which the first sync was complete; `nil` requests another first sync.
    @_spi(EventLog) public func setSynced(at time: Timestamp?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET synced_at = ? WHERE id = ?", [time?.stored, account.stored])
    }

    /// Sets the server's total of unread messages.
    @_spi(EventLog) public func setUnread(_ unread: Int?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET unread = ? WHERE id = ?", [unread?.stored, account.stored])
    }

    /// The position in an account's event stream.
    public struct Progress: Sendable {
        let cursor: Event.ID?
        let time: Timestamp

        /// - Parameter cursor: the last processed event; `nil` leaves the stored cursor unchanged.
        public init(cursor: Event.ID?, at time: Timestamp) { (self.cursor, self.time) = (cursor, time) }
    }

    /// Stores the progress and the server's total of unread messages.
    @_spi(EventLog) public func setProgress(_ progress: Progress, unread: Int?, of account: AccountID) throws
    {
        try transaction.run(
            "UPDATE account SET cursor = COALESCE(?, cursor), last_event_at = ?, unread = ? WHERE id = ?"
        ) {
            $0.bind(progress.cursor)
            $0.bind(progress.time)
            $0.bind(unread)
            $0.bind(account)
        }
    }

    /// Deletes all conversations and messages of an account and their ids, so that the account starts again
    /// with a first sync. The outbox is unchanged.
    @_spi(EventLog) public func reset(_ account: AccountID) throws {
        // Index all messages first: the full-text index can only remove messages that it contains.
        try transaction.fullText.update()
        for table in ["message", "seen_message", "conversation", "unfetched"] {
            try transaction.run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
        try setSynced(at: nil, of: account)
        try setUnread(nil, of: account)
    }

    /// Deletes the conversations, messages, marks, reminders and outbox of an account.
    @_spi(EventLog) public func delete(_ account: AccountID) throws {
        try reset(account)
        for table in ["outbox", "conversation_mark", "reminder"] {
            try transaction.run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
    }
}

extension AccountRecord {
    fileprivate func of(_ kind: Kind, in transaction: Transaction) throws -> AccountRecord {
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
        id = row.account()
        name = row.text()
        appID = row.text()
        apiURL = row.text()
        kind = Kind(rawValue: row.text()) ?? .device
        deviceID = row.optionalID()
        legacyToken = row.optionalText()
        cursor = row.optionalID()
        syncedAt = row.optionalTime()
        unread = row.optionalInt()
        lastEventAt = row.optionalTime()
    }
}

/// An account that another app handed over to the daemon.
public struct AppRecord: Hashable, Sendable {
    /// The local name of the account.
    public let name: String
    public let appID: String
    public let apiURL: String
    /// The app's display name.
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

/// The accounts that other apps handed over to the daemon.
public struct AppTable {
    let transaction: Transaction

    /// Returns all accounts in the order in which they were added.
    public func all() throws -> [AppRecord] {
        try transaction.all(
            "SELECT name, app_id, api_url, app_name, group_id, added_at FROM app ORDER BY added_at, name"
        ) {
            AppRecord(
                name: $0.text(), appID: $0.text(), apiURL: $0.text(), appName: $0.optionalText(),
                groupID: $0.optionalText(), addedAt: $0.time())
        }
    }

    /// - Throws: if an account with this name exists.
    @_spi(Accounts) public func add(_ app: AppRecord) throws {
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
    @_spi(Accounts) public func remove(_ name: String) throws -> Bool {
        try transaction.run("DELETE FROM app WHERE name = ?", [name.stored])
        return transaction.changes > 0
    }
}
