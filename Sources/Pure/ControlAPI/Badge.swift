/// Marks read everywhere what is here now: one conversation, or all of them without one.
public struct MarkRead: ControlMethod {
    public var conversation: String?
    /// A message of the conversation: what came after it stays unread.
    public var upTo: String?
    /// A program has shown it, and nobody asked: does nothing where `open_marks_read` is off, and does not
    /// wait for the API.
    public var shown: Bool?
    public var account: String?

    public init(
        conversation: String? = nil, upTo: String? = nil, shown: Bool? = nil, account: String? = nil
    ) {
        self.conversation = conversation
        self.upTo = upTo
        self.shown = shown
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// How many there were.
        public var conversations: Int
        /// The server does not know yet.
        public var queued: Bool

        public init(conversations: Int, queued: Bool) {
            self.conversations = conversations
            self.queued = queued
        }
    }
}

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

/// Replies that are unread and came since the last clear. nil: not known yet.
public struct BadgeView: Codable, Hashable, Sendable {
    public var total: Int?
    public var conversations: [String: Int]
    /// The server's count, whatever was cleared here.
    public var unread: Int?

    public init(total: Int? = nil, conversations: [String: Int], unread: Int? = nil) {
        self.total = total
        self.conversations = conversations
        self.unread = unread
    }
}
