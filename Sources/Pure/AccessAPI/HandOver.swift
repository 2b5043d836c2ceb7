/// Whether the Feedback App is here to take a hand-over.
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

/// A code, and a link that carries it, by which the Feedback App takes the account over on another device.
public struct AppCode: AccessMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var code: String
        public var link: String

        public init(code: String, link: String) { (self.code, self.link) = (code, link) }
    }
}
