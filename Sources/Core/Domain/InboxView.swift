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
    /// - Parameters:
    ///   - assignee: the ID of the member of staff who answers it.
    ///   - me: the user's ID at the service; `nil` if unknown.
    public func contains(status: String, assignee: String?, me: String?) -> Bool {
        guard status != "resolved", status != "closed" else { return false }
        return switch self {
        case .mine: me != nil && assignee == me
        case .unassigned: assignee == nil
        case .waiting: Self.waitsForSupport(status: status)
        case .open: true
        }
    }

    /// Returns whether the user waits for an answer of support: the conversation is new, or the user wrote
    /// last.
    public static func waitsForSupport(status: String) -> Bool {
        status == "open" || status == "waiting_admin"
    }
}
