/// The replies to show now, in order. Replies beyond the limit of notifications go into the summary.
public struct ReplyBatch: Hashable, Sendable {
    /// The messages of one conversation.
    public struct Item: Hashable, Sendable {
        public let owner: NotificationOwner
        let messages: [MessageKey]
        /// Whether a picture for the item is being fetched. These items are shown last.
        var awaitsPicture = false

        public init(_ owner: NotificationOwner, _ messages: [MessageKey]) {
            (self.owner, self.messages) = (owner, messages)
        }
    }

    /// The items that get their own notification if the maximum allows it.
    public internal(set) var news: [Item]
    /// The items that the summary notification covers.
    public internal(set) var digest: [Item]
    /// The maximum number of conversation notifications.
    public let maxPopups: Int
    /// Whether more released messages remain than this batch contains.
    let isPartial: Bool

    /// - Parameters:
    ///   - news: new replies.
    ///   - released: held replies that may be shown now.
    public init(news: [Item], released: [Item] = [], maxPopups: Int, isPartial: Bool = false) {
        (self.news, digest) = (news, released)
        (self.maxPopups, self.isPartial) = (maxPopups, isPartial)
    }

    /// Marks the items for which a picture is being fetched, and moves them to the end so that they do not
    /// delay other items.
    public mutating func setAwaitsPicture(_ owners: Set<NotificationOwner>) {
        for place in news.indices { news[place].awaitsPicture = owners.contains(news[place].owner) }
        news = news.filter { !$0.awaitsPicture } + news.filter(\.awaitsPicture)
    }
}

/// The reason why replies are held.
public enum HoldReason: Hashable, Sendable {
    case noServer
    case tooMany(Int)
    /// The server rejected a notification. A server at its limit would also reject the other notifications.
    case serverRefuses
}
