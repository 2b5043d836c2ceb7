/// A link by which the Feedback App takes this account over.
public struct HandOverApp: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var account: String
        public var token: String
        /// `cutie://link?token=...`
        public var link: String

        public init(account: String, token: String, link: String) {
            self.account = account
            self.token = token
            self.link = link
        }
    }
}
