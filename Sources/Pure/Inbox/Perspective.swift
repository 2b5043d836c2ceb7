public import CutieAPI

/// Whose eyes the messages are seen with: it says what is one's own, what is news and what is hidden.
public enum Perspective: Sendable {
    /// The person who wrote to an app's makers.
    case person

    public func isOwn(_ message: Message) -> Bool { message.senderType == .user }

    /// Only admins read it.
    public func isNote(_ message: Message) -> Bool { message.isInternalNote }

    /// Never stored, shown or counted: notes are nothing to a person.
    public func hides(_ message: Message) -> Bool { isNote(message) }

    /// Counts in the badge: what the server's `unread_count` counts.
    public func isNews(_ message: Message) -> Bool { !isOwn(message) && !isNote(message) }
}
