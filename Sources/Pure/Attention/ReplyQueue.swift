/// The replies that are to be shown now, in their order; what exceeds the pop-ups goes into the summary.
public struct ReplyQueue: Hashable, Sendable {
    /// What is to be told of one conversation.
    public struct Item: Hashable, Sendable {
        public let owner: PopupOwner
        let messages: [MessageKey]
        /// It is shown after those that wait for no picture.
        var awaitsPicture = false

        public init(_ owner: PopupOwner, _ messages: [MessageKey]) {
            (self.owner, self.messages) = (owner, messages)
        }
    }

    /// Each gets its own pop-up where there is room.
    public internal(set) var news: [Item]
    /// What the summary stands for.
    public internal(set) var digest: [Item]
    /// So many conversations may have a pop-up.
    public let mostPopups: Int
    /// More is free to go than is here.
    let isPiece: Bool

    /// `news`: new replies. `released`: what was held and may go now.
    public init(news: [Item], released: [Item] = [], mostPopups: Int, isPiece: Bool = false) {
        (self.news, digest) = (news, released)
        (self.mostPopups, self.isPiece) = (mostPopups, isPiece)
    }

    /// Which of the news wait for a picture. What lacks no picture does not wait for those of others.
    public mutating func await(_ owners: Set<PopupOwner>) {
        for place in news.indices { news[place].awaitsPicture = owners.contains(news[place].owner) }
        news = news.filter { !$0.awaitsPicture } + news.filter(\.awaitsPicture)
    }
}

/// Why replies wait.
public enum HoldReason: Hashable, Sendable {
    case noServer
    case tooMany(Int)
    /// It refused one: one that has enough for now would refuse each of the others.
    case serverRefuses
}
