public import CutieAPI

/// A message with all properties that a rule can match.
///
/// This type is a class, because the subject is passed to every rule, and copies of a struct would retain and
/// release each of its strings.
public final class NotificationSubject: Sendable {
    public let message: Message
    /// The conversation of the message; `nil` if unknown.
    public let conversation: Conversation?
    /// The App ID of the receiving account.
    public let appID: String?

    public init(_ message: Message, in conversation: Conversation? = nil, appID: String? = nil) {
        (self.message, self.conversation, self.appID) = (message, conversation, appID)
    }
}
