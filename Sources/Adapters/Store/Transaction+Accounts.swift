public import CutieAPI
internal import GRDB

extension Transaction {
    /// The account of these three, made where it is new: only then is `makeDeviceID` called.
    public func account(
        name: String, appID: String, apiURL: String, makeDeviceID: () -> DeviceID
    ) throws -> AccountRecord {
        let key: Values = [name.stored, appID.stored, apiURL.stored]
        let sql = "SELECT \(AccountRecord.columns) FROM account WHERE name = ? AND app_id = ? AND api_url = ?"
        if let known = try first(sql, key, AccountRecord.init(_:)) { return known }
        let device = makeDeviceID()
        try run(
            "INSERT INTO account (name, app_id, api_url, device_id) VALUES (?, ?, ?, ?)",
            key + [device.stored])
        return AccountRecord(
            id: AccountID(rawValue: database.lastInsertedRowID), name: name, appID: appID, apiURL: apiURL,
            deviceID: device)
    }

    /// All accounts there ever were, also those the configuration does not name any more.
    public func accounts() throws -> [AccountRecord] {
        try all("SELECT \(AccountRecord.columns) FROM account ORDER BY id", [], AccountRecord.init(_:))
    }

    public func account(_ id: AccountID) throws -> AccountRecord? {
        try first(Self.oneAccount, [id.stored], AccountRecord.init(_:))
    }

    private static let oneAccount = "SELECT \(AccountRecord.columns) FROM account WHERE id = ?"

    /// Another device's token and place in the stream are void.
    public func setDeviceID(_ device: DeviceID, of account: AccountID) throws {
        try run(
            """
            UPDATE account SET device_id = ?, device_token = NULL, cursor = NULL, synced_at = NULL
            WHERE id = ? AND device_id <> ?
            """, [device.stored, account.stored, device.stored])
    }

    /// The token is kept elsewhere now. `Store.wipe()` follows, or it can still be read in the file.
    public func forgetFormerToken(of account: AccountID) throws {
        try run("UPDATE account SET device_token = NULL WHERE id = ?", [account.stored])
    }

    public func setCursor(_ cursor: Event.ID?, of account: AccountID) throws {
        try run("UPDATE account SET cursor = ? WHERE id = ?", [cursor?.stored, account.stored])
    }

    /// Notes that the first sync was complete at `time`; nil: it must be done again.
    public func setSynced(at time: Timestamp?, of account: AccountID) throws {
        try run("UPDATE account SET synced_at = ? WHERE id = ?", [time?.stored, account.stored])
    }

    /// The server's total.
    public func setUnread(_ unread: Int?, of account: AccountID) throws {
        try run("UPDATE account SET unread = ? WHERE id = ?", [unread?.stored, account.stored])
    }

    /// `cursor` nil leaves it where it is.
    public func setProgress(to cursor: Event.ID?, at time: Timestamp, of account: AccountID) throws {
        try run(
            "UPDATE account SET cursor = COALESCE(?, cursor), last_event_at = ? WHERE id = ?",
            [cursor?.stored, time.stored, account.stored])
    }
}

extension AccountRecord {
    fileprivate static let columns =
        "id, name, app_id, api_url, device_id, device_token, cursor, synced_at, unread, last_event_at"

    fileprivate init(_ row: inout ColumnReader) {
        id = row.account()
        name = row.text()
        appID = row.text()
        apiURL = row.text()
        deviceID = row.id()
        formerToken = row.optionalText()
        cursor = row.optionalID()
        syncedAt = row.optionalTime()
        unread = row.optionalInt()
        lastEventAt = row.optionalTime()
    }
}
