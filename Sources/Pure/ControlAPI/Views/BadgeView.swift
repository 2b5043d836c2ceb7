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
