/// The accounts that other apps handed over, oldest first.
public struct ListApps: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var apps: [AppView]

        public init(apps: [AppView]) {
            self.apps = apps
        }
    }
}

/// An account that an app handed over.
public struct AppView: Codable, Hashable, Sendable {
    public var account: String
    public var appId: String
    public var appName: String?
    public var apiUrl: String
    /// Unix milliseconds.
    public var addedAt: Int64

    public init(account: String, appId: String, appName: String?, apiUrl: String, addedAt: Int64) {
        (self.account, self.appId, self.appName) = (account, appId, appName)
        (self.apiUrl, self.addedAt) = (apiUrl, addedAt)
    }
}
