public import CutieAPI

/// A caller of one API address, as the store knows it.
public struct AccountRecord: Hashable, Sendable {
    /// Who speaks to the API.
    public enum Kind: String, Sendable {
        /// A person's device of an app.
        case device
        /// Somebody of the app's makers.
        case staff
        /// A person as several programs know them; nothing comes by it.
        case identity
    }

    public let id: AccountID
    public let name: String
    /// Of a device; empty for those who sign in.
    public let appID: String
    public let apiURL: String
    public internal(set) var kind: Kind
    /// Only of a device's account.
    public let deviceID: DeviceID?
    /// Only in a database of a version that kept tokens in it.
    public var formerToken: String?
    /// The last event processed.
    public var cursor: Event.ID?
    /// When the first sync was complete; nil before.
    public var syncedAt: Timestamp?
    /// The server's total; nil = not known yet.
    public var unread: Int?
    public var lastEventAt: Timestamp?
}

/// The accounts, and where each stands in what its API tells.
public struct AccountTable {
    let transaction: Transaction

    /// The account of these three, made where it is new: only then is `makeDeviceID` called, and only for a
    /// device's. One that is here stays a device's where it is one; staff may become an identity, and back.
    @_spi(Log) public func findOrMake(
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

    /// All accounts there ever were, also those the configuration does not name any more.
    public func all() throws -> [AccountRecord] {
        try transaction.all(
            "SELECT \(AccountRecord.columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    /// The same in a file that no migration has reached: before there were kinds, all were devices'.
    func ofAnyVersion() throws -> [AccountRecord] {
        let hasKinds = try transaction.count(
            "SELECT COUNT(*) FROM pragma_table_info('account') WHERE name = 'kind'")
        guard hasKinds == 0 else { return try all() }
        let columns = AccountRecord.columns.replacing("kind", with: "'\(AccountRecord.Kind.device.rawValue)'")
        return try transaction.all(
            "SELECT \(columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    public func find(_ id: AccountID) throws -> AccountRecord? {
        try transaction.first(Self.oneAccount, [id.stored], AccountRecord.init(_:))
    }

    private static let oneAccount = "SELECT \(AccountRecord.columns) FROM account WHERE id = ?"

    /// Another device's token and place in the stream are void.
    @_spi(Log) public func setDeviceID(_ device: DeviceID, of account: AccountID) throws {
        try transaction.run(
            """
            UPDATE account SET device_id = ?, device_token = NULL, cursor = NULL, synced_at = NULL
            WHERE id = ? AND device_id IS NOT ?
            """, [device.stored, account.stored, device.stored])
    }

    /// The token is kept elsewhere now. `Store.wipe()` follows, or it can still be read in the file.
    @_spi(Log) public func forgetFormerToken(of account: AccountID) throws {
        try transaction.run("UPDATE account SET device_token = NULL WHERE id = ?", [account.stored])
    }

    @_spi(Log) public func setCursor(_ cursor: Event.ID?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET cursor = ? WHERE id = ?", [cursor?.stored, account.stored])
    }

    /// Notes that the first sync was complete at `time`; nil: it must be done again.
    @_spi(Log) public func setSynced(at time: Timestamp?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET synced_at = ? WHERE id = ?", [time?.stored, account.stored])
    }

    /// The server's total.
    @_spi(Log) public func setUnread(_ unread: Int?, of account: AccountID) throws {
        try transaction.run("UPDATE account SET unread = ? WHERE id = ?", [unread?.stored, account.stored])
    }

    /// How far the events of an account were taken.
    public struct Progress: Sendable {
        let cursor: Event.ID?
        let time: Timestamp

        /// `cursor` nil leaves it where it is.
        public init(cursor: Event.ID?, at time: Timestamp) { (self.cursor, self.time) = (cursor, time) }
    }

    /// Notes what was taken, and the server's total with it.
    @_spi(Log) public func setProgress(_ progress: Progress, unread: Int?, of account: AccountID) throws {
        try transaction.run(
            "UPDATE account SET cursor = COALESCE(?, cursor), last_event_at = ?, unread = ? WHERE id = ?"
        ) {
            $0.bind(progress.cursor)
            $0.bind(progress.time)
            $0.bind(unread)
            $0.bind(account)
        }
    }

    /// Takes away all conversations and messages of an account, with their ids: the account begins anew with a
    /// first sync. What waits in its outbox stays.
    @_spi(Log) public func reset(_ account: AccountID) throws {
        // What is not in the full-text index cannot be taken out of it.
        try transaction.fullText.update()
        for table in ["message", "seen_message", "conversation", "unfetched"] {
            try transaction.run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
        try setSynced(at: nil, of: account)
        try setUnread(nil, of: account)
    }

    /// The same, and what waits to be sent.
    @_spi(Log) public func forget(_ account: AccountID) throws {
        try reset(account)
        try transaction.run("DELETE FROM outbox WHERE account = ?", [account.stored])
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
        formerToken = row.optionalText()
        cursor = row.optionalID()
        syncedAt = row.optionalTime()
        unread = row.optionalInt()
        lastEventAt = row.optionalTime()
    }
}

/// An account that another app handed over.
public struct AppRecord: Hashable, Sendable {
    /// The account's name here.
    public let name: String
    public let appID: String
    public let apiURL: String
    /// What the app calls itself.
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

/// The accounts that other apps handed over.
public struct AppTable {
    let transaction: Transaction

    /// In the order in which they were added.
    public func all() throws -> [AppRecord] {
        try transaction.all(
            "SELECT name, app_id, api_url, app_name, group_id, added_at FROM app ORDER BY added_at, name"
        ) {
            AppRecord(
                name: $0.text(), appID: $0.text(), apiURL: $0.text(), appName: $0.optionalText(),
                groupID: $0.optionalText(), addedAt: $0.time())
        }
    }

    /// Throws where there is one of that name.
    @_spi(Accounts) public func add(_ app: AppRecord) throws {
        try transaction.run(
            "INSERT INTO app (name, app_id, api_url, app_name, group_id, added_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                app.name.stored, app.appID.stored, app.apiURL.stored, app.appName?.stored,
                app.groupID?.stored,
                app.addedAt.stored,
            ])
    }

    /// False where there is none of that name.
    @_spi(Accounts) public func remove(_ name: String) throws -> Bool {
        try transaction.run("DELETE FROM app WHERE name = ?", [name.stored])
        return transaction.changes > 0
    }
}
