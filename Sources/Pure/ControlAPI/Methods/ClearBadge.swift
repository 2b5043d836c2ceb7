/// Sets the badge to 0 here, of one conversation or of all. Works offline.
public struct ClearBadge: ControlMethod {
    public var conversation: String?
    /// Marks read everywhere too.
    public var read: Bool?
    public var account: String?

    public init(conversation: String? = nil, read: Bool? = nil, account: String? = nil) {
        self.conversation = conversation
        self.read = read
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var badge: BadgeView
        /// The server does not know yet that it was read.
        public var queued: Bool

        public init(badge: BadgeView, queued: Bool) {
            self.badge = badge
            self.queued = queued
        }
    }
}
