/// Marks conversations as read on all devices: the named one, or all of them. Only messages stored now are
/// marked.
public struct MarkRead: ControlMethod {
    public var conversation: String?
    /// The id of a message in the conversation. Later messages stay unread.
    public var upTo: String?
    /// Whether a program displayed the messages without an explicit request by the user. The call then
    /// returns before the API answers, and has no effect if `open_marks_read` is off.
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
        /// The number of conversations that were marked as read.
        public var conversations: Int
        /// Whether the update is still pending on the server.
        public var queued: Bool

        public init(conversations: Int, queued: Bool) {
            self.conversations = conversations
            self.queued = queued
        }
    }
}

/// Resets the badge of one conversation, or of all, to 0 on this device. Works offline.
public struct ClearBadge: ControlMethod {
    public var conversation: String?
    /// Whether to mark the messages as read on all devices, too.
    public var read: Bool?
    public var account: String?

    public init(conversation: String? = nil, read: Bool? = nil, account: String? = nil) {
        self.conversation = conversation
        self.read = read
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var badge: BadgeView
        /// Whether the read mark is still pending on the server.
        public var queued: Bool

        public init(badge: BadgeView, queued: Bool) {
            self.badge = badge
            self.queued = queued
        }
    }
}

/// The number of unread replies since the badge was last cleared; `nil` if not known yet.
public struct BadgeView: Codable, Hashable, Sendable {
    public var total: Int?
    /// The number of each conversation that counts in the badge; empty unless the call requests them.
    public var conversations: [String: Int]
    /// The number of conversations that count in the badge; `nil` in log entries and from an older daemon.
    public var conversationCount: Int?
    /// The unread count of the server, which ignores local clearing.
    public var unread: Int?

    public init(
        total: Int? = nil, conversations: [String: Int] = [:], conversationCount: Int? = nil,
        unread: Int? = nil
    ) {
        self.total = total
        self.conversations = conversations
        self.conversationCount = conversationCount
        self.unread = unread
    }
}
