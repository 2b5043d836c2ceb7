public import CutieAPI

/// A message with everything that a rule may examine.
///
/// A class, because each rule receives it and copying a struct would retain each of its many strings.
public final class NotificationSubject: Sendable {
    public let message: Message
    /// The conversation; `nil` if it is not known yet.
    public let conversation: Conversation?
    /// The App ID of the receiving account.
    public let appID: String?

    public init(_ message: Message, in conversation: Conversation? = nil, appID: String? = nil) {
        (self.message, self.conversation, self.appID) = (message, conversation, appID)
    }
}
