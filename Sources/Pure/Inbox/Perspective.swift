public import CutieAPI

/// Whose eyes the messages are seen with: it says what is one's own, what is news and what is hidden.
public enum Perspective: Sendable {
    /// The person who wrote to an app's makers.
    case person

    public func isOwn(_ message: Message) -> Bool { message.senderType == .user }

    /// Notes between admins are never stored, shown or counted for a person.
    public func hides(_ message: Message) -> Bool { message.isInternalNote }

    /// Counts in the badge: what the server's `unread_count` counts.
    public func isNews(_ message: Message) -> Bool { !isOwn(message) && !hides(message) }
}
