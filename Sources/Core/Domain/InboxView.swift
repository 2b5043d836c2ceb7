/// A selection of the conversations of support staff that are not resolved or closed.
public enum InboxView: String, Hashable, Sendable, CaseIterable {
    /// Conversations that are assigned to the user.
    case mine
    case unassigned
    /// Conversations that wait for an answer of support.
    case waiting
    /// All conversations.
    case open
    /// Conversations that the user put aside until a time. The other views do not contain them.
    case snoozed

    /// Returns whether the view contains a conversation.
    ///
    /// - Parameters:
    ///   - isSnoozed: whether the user put it aside.
    ///   - assignee: the ID of the member of staff who answers it.
    ///   - me: the user's ID at the service; `nil` if unknown.
    public func contains(status: String, isSnoozed: Bool, assignee: String?, me: String?) -> Bool {
        guard status != "resolved", status != "closed", isSnoozed == (self == .snoozed) else { return false }
        return switch self {
        case .mine: me != nil && assignee == me
        case .unassigned: assignee == nil
        case .waiting: Self.waitsForSupport(status: status)
        case .open, .snoozed: true
        }
    }

    /// Returns whether the user waits for an answer of support: the conversation is new, or the user wrote
    /// last.
    public static func waitsForSupport(status: String) -> Bool {
        status == "open" || status == "waiting_admin"
    }
}
