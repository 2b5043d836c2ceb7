/// The conversations, newest first.
public struct ListConversations: ControlMethod {
    /// Only those with unread messages.
    public var unread: Bool?
    public var limit: Int?
    public var account: String?

    public init(unread: Bool? = nil, limit: Int? = nil, account: String? = nil) {
        self.unread = unread
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversations: [ConversationView]
        public var badge: BadgeView
        /// One reply does not hold all: older conversations are left out.
        public var cut: Bool?

        public init(conversations: [ConversationView], badge: BadgeView, cut: Bool? = nil) {
            self.conversations = conversations
            self.badge = badge
            self.cut = cut
        }
    }
}
