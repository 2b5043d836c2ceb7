public import CutieAPI

/// A message with all that a rule may look at.
public struct Subject: Sendable {
    public var message: Message
    /// nil where nothing is known of it yet.
    public var conversation: Conversation?
    /// Of the account that it came to.
    public var appID: String?

    public init(_ message: Message, in conversation: Conversation? = nil, appID: String? = nil) {
        (self.message, self.conversation, self.appID) = (message, conversation, appID)
    }
}
