public import CutieAPI

/// A conversation as the store keeps it: what the server told of it, and what is counted here.
public struct ConversationRecord: Hashable, Sendable {
    public var account: AccountID
    /// Without its messages: they are rows of their own.
    public var conversation: Conversation
    /// Replies that are unread, by what is known here.
    public var unread: Int
    /// Replies that came since the last clear of the badge.
    public var sinceClear: Int
    /// When the server's state was taken that `conversation` shows.
    public var asOf: Timestamp?
    /// What the last poll saw; nil = not polled yet.
    public var polled: PolledMark?
    /// The beginning of the newest message's text; the store keeps 200 characters.
    public var lastMessage: String?
    /// The log's sequence of the newest entry about it.
    public var newestSequence: Int64

    public init(
        account: AccountID, conversation: Conversation, unread: Int = 0, sinceClear: Int = 0,
        asOf: Timestamp? = nil, polled: PolledMark? = nil, lastMessage: String? = nil,
        newestSequence: Int64 = 0
    ) {
        self.account = account
        self.conversation = conversation
        self.unread = unread
        self.sinceClear = sinceClear
        self.asOf = asOf
        self.polled = polled
        self.lastMessage = lastMessage
        self.newestSequence = newestSequence
    }

    /// Its share of the badge: unread and new since the last clear.
    public var badge: Int { max(0, min(unread, sinceClear)) }
}

/// What a poll compares to see whether a conversation changed.
public struct PolledMark: Hashable, Sendable {
    public var updatedAt: Timestamp?
    public var unreadCount: Int?
    public var messageCount: Int?

    public init(updatedAt: Timestamp?, unreadCount: Int?, messageCount: Int?) {
        self.updatedAt = updatedAt
        self.unreadCount = unreadCount
        self.messageCount = messageCount
    }
}
