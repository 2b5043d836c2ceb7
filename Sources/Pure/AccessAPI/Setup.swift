/// Asks the person, once, whether answers of the app's maker may come here. It returns when they have answered.
public struct Configure: AccessMethod {
    /// Cuti-E's App ID. It proves nothing: who asks is told by the system.
    public var appId: String
    /// https, or loopback; nil: the hosted API.
    public var apiUrl: String?
    /// The name that the system knows the app by, where it does.
    public var bundleId: String?
    /// As a person reads it.
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

/// What the app is, as its maker is told with each new conversation.
public struct SetAppMetadata: AccessMethod {
    public typealias Reply = Done
    public var version: String?
    public var build: String?
    public var bundleId: String?

    public init(version: String? = nil, build: String? = nil, bundleId: String? = nil) {
        (self.version, self.build, self.bundleId) = (version, build, bundleId)
    }
}

/// Who the person is for the app's maker; nil forgets it.
public struct SetUser: AccessMethod {
    public typealias Reply = Done
    public var userId: String?
    public var userName: String?

    public init(userId: String? = nil, userName: String? = nil) {
        (self.userId, self.userName) = (userId, userName)
    }
}
