public import CutieAPI

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

extension Transaction {
    /// In the order in which they were added.
    public func apps() throws -> [AppRecord] {
        try all("SELECT name, app_id, api_url, app_name, group_id, added_at FROM app ORDER BY added_at, name")
        {
            AppRecord(
                name: $0.text(), appID: $0.text(), apiURL: $0.text(), appName: $0.optionalText(),
                groupID: $0.optionalText(), addedAt: $0.time())
        }
    }

    /// Throws where there is one of that name.
    public func add(_ app: AppRecord) throws {
        try run(
            "INSERT INTO app (name, app_id, api_url, app_name, group_id, added_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                app.name.stored, app.appID.stored, app.apiURL.stored, app.appName?.stored,
                app.groupID?.stored,
                app.addedAt.stored,
            ])
    }

    /// False where there is none of that name.
    public func removeApp(_ name: String) throws -> Bool {
        try run("DELETE FROM app WHERE name = ?", [name.stored])
        return changes > 0
    }
}
