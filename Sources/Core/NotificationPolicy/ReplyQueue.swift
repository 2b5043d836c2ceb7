/// The replies to show now, in order. Replies beyond the limit of notifications go into the summary.
public struct ReplyQueue: Hashable, Sendable {
    /// The messages of one conversation.
    public struct Item: Hashable, Sendable {
        public let owner: NotificationOwner
        let messages: [MessageKey]
        /// Whether the item waits for a picture. Such items are shown last.
        var awaitsPicture = false

        public init(_ owner: NotificationOwner, _ messages: [MessageKey]) {
            (self.owner, self.messages) = (owner, messages)
        }
    }

    /// The items that get their own notification if there is room.
    public internal(set) var news: [Item]
    /// The items of the summary.
    public internal(set) var digest: [Item]
    /// The maximum number of conversations with a notification.
    public let maxPopups: Int
    /// Whether more released messages remain than this queue contains.
    let isPartial: Bool

    /// - Parameters:
    ///   - news: the new replies.
    ///   - released: the held replies that may be shown now.
    public init(news: [Item], released: [Item] = [], maxPopups: Int, isPartial: Bool = false) {
        (self.news, digest) = (news, released)
        (self.maxPopups, self.isPartial) = (maxPopups, isPartial)
    }

    /// Sets which of the news wait for a picture, and moves these to the end so that they do not delay the
    /// others.
    public mutating func setAwaitsPicture(_ owners: Set<NotificationOwner>) {
        for place in news.indices { news[place].awaitsPicture = owners.contains(news[place].owner) }
        news = news.filter { !$0.awaitsPicture } + news.filter(\.awaitsPicture)
    }
}

/// The reason why replies are held.
public enum HoldReason: Hashable, Sendable {
    case noServer
    case tooMany(Int)
    /// The server refused a notification. A server at its limit would also refuse the others.
    case serverRefuses
}
