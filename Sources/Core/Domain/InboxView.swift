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
    ///   - lastSender: see `waitsForSupport`.
    ///   - isSnoozed: whether the user snoozed the conversation.
    ///   - assignee: the ID of the assigned member of support staff.
    ///   - ownAdminID: the admin ID of the signed-in user; `nil` if unknown.
    public func containsConversation(
        status: String, lastSender: String?, isSnoozed: Bool, assignee: String?, ownAdminID: String?
    ) -> Bool {
        guard status != "resolved", status != "closed", isSnoozed == (self == .snoozed) else { return false }
        return switch self {
        case .mine: ownAdminID != nil && assignee == ownAdminID
        case .unassigned: assignee == nil
        case .waiting: Self.waitsForSupport(status: status, lastSender: lastSender)
        case .open, .snoozed: true
        }
    }

    /// Returns whether the app's user waits for a reply from support: the conversation has a waiting status,
    /// and the user wrote last. The status is not sufficient, because some services leave a conversation open
    /// after support has replied.
    ///
    /// - Parameter lastSender: the sender type of the newest message, ignoring notes and system messages;
    ///   `nil` if unknown.
    public static func waitsForSupport(status: String, lastSender: String?) -> Bool {
        (status == "open" || status == "waiting_admin") && (lastSender == nil || lastSender == "user")
    }
}
