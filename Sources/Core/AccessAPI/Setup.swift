/// Asks the user, once, whether replies of the app's maker may be shown here. Returns when the user has
/// answered.
public struct Configure: AccessMethod {
    /// The App ID at Cuti-E. It proves nothing: the system identifies the app.
    public var appId: String
    /// An https address, or a loopback address; `nil` is the hosted API.
    public var apiUrl: String?
    /// The id of the app on this system, if it has one.
    public var bundleId: String?
    /// The name in the question.
    public var appName: String

    public init(appId: String, apiUrl: String? = nil, bundleId: String? = nil, appName: String) {
        (self.appId, self.apiUrl, self.bundleId, self.appName) = (appId, apiUrl, bundleId, appName)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The name of the account that the app owns now.
        public var account: String
        public var apiUrl: String

        public init(account: String, apiUrl: String) { (self.account, self.apiUrl) = (account, apiUrl) }
    }
}

/// Sets the version of the app, which is sent with each new conversation.
public struct SetAppMetadata: AccessMethod {
    public typealias Reply = Done
    public var version: String?
    public var build: String?
    public var bundleId: String?

    public init(version: String? = nil, build: String? = nil, bundleId: String? = nil) {
        (self.version, self.build, self.bundleId) = (version, build, bundleId)
    }
}

/// Sets the maker's id and name for the user; `nil` removes them.
public struct SetUser: AccessMethod {
    public typealias Reply = Done
    public var userId: String?
    public var userName: String?

    public init(userId: String? = nil, userName: String? = nil) {
        (self.userId, self.userName) = (userId, userName)
    }
}
