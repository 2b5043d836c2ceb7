/// The replies to show now, in order. The summary covers the replies beyond the maximum number of
/// notifications.
public struct ReplyBatch: Hashable, Sendable {
    /// The messages of one conversation.
    public struct Item: Hashable, Sendable {
        public let owner: NotificationOwner
        let messages: [MessageKey]
        /// Whether the picture of the sender is being fetched. Such items are shown last.
        var awaitsPicture = false

        public init(owner: NotificationOwner, messages: [MessageKey]) {
            (self.owner, self.messages) = (owner, messages)
        }
    }

    /// The items that are shown as separate notifications, up to `maxPopups`.
    public internal(set) var news: [Item]
    /// The items that are part of the summary notification.
    public internal(set) var digest: [Item]
    /// The maximum number of conversation notifications.
    public let maxPopups: Int
    /// Whether further released messages exist that are not part of this batch.
    let isPartial: Bool

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - news: new replies.
    ///   - released: held replies that may be shown now.
    public init(news: [Item], released: [Item] = [], maxPopups: Int, isPartial: Bool = false) {
        (self.news, digest) = (news, released)
        (self.maxPopups, self.isPartial) = (maxPopups, isPartial)
    }

    /// Marks the items whose picture is being fetched, and moves them to the end, so that they do not delay
    /// other items.
    public mutating func markAwaitingPicture(_ owners: Set<NotificationOwner>) {
        for place in news.indices { news[place].awaitsPicture = owners.contains(news[place].owner) }
        news = news.filter { !$0.awaitsPicture } + news.filter(\.awaitsPicture)
    }
}

/// The reason why replies are held.
public enum HoldReason: Hashable, Sendable {
    case noServer
    case tooMany(Int)
    /// The server rejected a notification. Other notifications are not attempted, because a server that has
    /// reached its limit would also reject them.
    case serverRefuses
}

/// The order of a batch, and the replies that get separate notifications.
extension NotificationState {
    /// Returns `batch` with its replies regrouped into separate notifications and the digest, in display
    /// order.
    public func groupedForDisplay(_ batch: ReplyBatch) -> ReplyBatch {
        var batch = batch
        // If the notification of a conversation is still on the screen, add the conversation's released
        // replies to it.
        batch.news += batch.digest.filter { isFromThisRun(notificationOf: $0.owner) }
        batch.digest.removeAll { isFromThisRun(notificationOf: $0.owner) }
        // If the digest would contain only one conversation, show the conversation's own notification
        // instead.
        if batch.digest.count == 1, notifications[.summary] == nil,
            canShowSeparateNotification(for: batch.digest[0].owner, maxPopups: batch.maxPopups)
        {
            batch.news.append(batch.digest.removeFirst())
        }
        // Show previously rejected replies last, because another rejection stops the batch.
        batch.news.sort { pacing.refusalCount(of: $0.messages) < pacing.refusalCount(of: $1.messages) }
        return batch
    }

    /// Returns the owners that get separate notifications if all calls succeed.
    public func ownersShownSeparately(in batch: ReplyBatch) -> [NotificationOwner] {
        batch.news.map(\.owner).filter { canShowSeparateNotification(for: $0, maxPopups: batch.maxPopups) }
    }

    func canShowSeparateNotification(for owner: NotificationOwner, maxPopups: Int) -> Bool {
        isFromThisRun(notificationOf: owner)
            || notifications.count { $0.key.isReply && $0.value.isFromThisRun } < maxPopups
    }
}
