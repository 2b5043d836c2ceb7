public import CutieAPI

/// One thing that happened: what a watcher reads.
public struct LogEntry: Hashable, Sendable {
    /// Never used twice.
    public let sequence: Int64
    public let account: AccountID?
    public let type: String
    public let at: Timestamp
    public let conversation: Conversation.ID?
    public let message: Message.ID?
    public let badgeTotal: Int?
    public let badgeUnread: Int?
    public let badgeConversation: Int?
    public let state: String?
    /// JSON.
    public let data: String?
}
