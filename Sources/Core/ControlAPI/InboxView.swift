/// A selection of the conversations of support staff that are not resolved or closed.
public enum InboxView: String, Hashable, Sendable, CaseIterable {
    /// Conversations that are assigned to the user.
    case mine
    case unassigned
    /// Conversations that wait for an answer of support.
    case waiting
    /// All conversations.
    case open

    /// Returns whether the view contains a conversation.
    ///
    /// - Parameter me: the user's ID at the service; `nil` if unknown.
    public func contains(_ conversation: ConversationView, me: String?) -> Bool {
        guard conversation.status != "resolved", conversation.status != "closed" else { return false }
        return switch self {
        case .mine: me != nil && conversation.assignedAdminId == me
        case .unassigned: conversation.assignedAdminId == nil
        case .waiting: conversation.waitsForSupport
        case .open: true
        }
    }
}

extension ConversationView {
    /// Whether the user waits for an answer of support: the conversation is new, or the user wrote last.
    public var waitsForSupport: Bool { status == "open" || status == "waiting_admin" }
}
