/// A list of conversations for support staff. Resolved and closed conversations are excluded.
public enum InboxView: String, Hashable, Sendable, CaseIterable {
    /// Conversations assigned to the user.
    case mine
    case unassigned
    /// Conversations that wait for a reply from support.
    case waiting
    /// All conversations except snoozed ones.
    case open
    /// Conversations that the user snoozed. The other views do not contain these conversations.
    case snoozed

    /// Returns whether the view contains a conversation.
    ///
    /// - Parameters:
    ///   - isSnoozed: whether the user snoozed the conversation.
    ///   - assignee: the ID of the assigned member of support staff.
    ///   - me: the user's admin ID; `nil` if unknown.
    public func contains(status: String, isSnoozed: Bool, assignee: String?, me: String?) -> Bool {
        guard status != "resolved", status != "closed", isSnoozed == (self == .snoozed) else { return false }
        return switch self {
        case .mine: me != nil && assignee == me
        case .unassigned: assignee == nil
        case .waiting: Self.waitsForSupport(status: status)
        case .open, .snoozed: true
        }
    }

    /// Returns whether the user waits for a reply from support: the conversation is new, or the last message
    /// is from the user.
    public static func waitsForSupport(status: String) -> Bool {
        status == "open" || status == "waiting_admin"
    }
}
