/// Marks a conversation read. The bound is an extension: servers that do not know it mark everything.
public struct ReadMark: RequestBody {
    /// The newest message that it covers; nil covers all.
    public var upTo: Message.ID?

    public init(upTo: Message.ID?) { self.upTo = upTo }

    enum CodingKeys: String, CodingKey {
        case upTo = "up_to"
    }
}

extension ReadMark {
    /// What is left. The contract promises any object; the bound comes back from servers that honoured it.
    public struct Answer: Hashable, Sendable, Codable {
        public var upTo: Message.ID?
        public var unreadCount: Int?
        public var totalUnread: Int?

        public init(upTo: Message.ID?, unreadCount: Int?, totalUnread: Int?) {
            self.upTo = upTo
            self.unreadCount = unreadCount
            self.totalUnread = totalUnread
        }

        enum CodingKeys: String, CodingKey {
            case upTo = "up_to"
            case unreadCount = "unread_count"
            case totalUnread = "total_unread"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            upTo = container.lenient(.upTo)
            unreadCount = container.lenient(.unreadCount)
            totalUnread = container.lenient(.totalUnread)
        }
    }
}
