/// Returns whether the Feedback App is installed on this desktop.
public struct AppInstalled: AccessMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var installed: Bool

        public init(installed: Bool) { self.installed = installed }
    }
}

/// Hands the app's account over to the Feedback App on this desktop, and opens it.
public struct AppOpen: AccessMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var link: String

        public init(link: String) { self.link = link }
    }
}

/// Returns a code and a link with which the Feedback App on another device can take the account over.
public struct AppCode: AccessMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var code: String
        public var link: String

        public init(code: String, link: String) { (self.code, self.link) = (code, link) }
    }
}
