public import CutieAPI

/// A message with all that a rule may look at.
/// A class, as each rule gets it handed on, and its texts are many to count references of.
public final class Subject: Sendable {
    public let message: Message
    /// nil where nothing is known of it yet.
    public let conversation: Conversation?
    /// Of the account that it came to.
    public let appID: String?

    public init(_ message: Message, in conversation: Conversation? = nil, appID: String? = nil) {
        (self.message, self.conversation, self.appID) = (message, conversation, appID)
    }
}
