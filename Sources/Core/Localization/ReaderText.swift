/// The role of the person who uses this computer, which determines the wording of messages.
public enum UserRole: Hashable, Sendable, CaseIterable {
    /// A user who writes feedback to the developers of apps.
    case user
    /// A member of support staff, who answers the feedback of users.
    case staff
    /// A person with accounts of both kinds, who writes and answers feedback.
    case both

    /// Creates the role. A person who has no account yet is a `user`.
    public init(isUser: Bool, isStaff: Bool) {
        self = isStaff ? (isUser ? .both : .staff) : .user
    }
}

/// The messages whose wording depends on the role of the reader. All such messages are in this type.
public enum RoleDependentText: Hashable, Sendable, CaseIterable {
    case outageTitle
    case welcome
    case emptyList, noConversationChosen
    case about
    case waitingForUser, waitingForSupport
    case waitingReminder

    /// Returns the message in the current language.
    public func text(for role: UserRole) -> String {
        switch self {
        case .outageTitle:
            switch role {
            case .user: localized("Cannot receive replies")
            case .staff: localized("No connection to your support inbox")
            case .both: localized("No connection to your inbox")
            }
        case .waitingForUser, .waitingForSupport: statusText(for: role)
        case .waitingReminder:
            role == .staff
                ? localized("The user is waiting for a reply.")
                : localized("Support is waiting for your reply.")
        case .welcome, .emptyList, .noConversationChosen, .about: windowText(for: role)
        }
    }

    /// Returns the label of a status. Because a status belongs to one conversation, callers pass the role for
    /// the conversation's account, which is never `both`.
    private func statusText(for role: UserRole) -> String {
        switch (self, role) {
        case (.waitingForUser, .staff): localized("Waiting for the user")
        case (.waitingForUser, _): localized("Waiting for you")
        default: localized("Waiting for support")
        }
    }

    private func windowText(for role: UserRole) -> String {
        switch (self, role) {
        case (.welcome, .staff):
            localized("Read and answer messages from the users of your app here.")
        case (.welcome, _):
            localized(
                """
                Send feedback to the developers of your app and read their replies here. The developers \
                give you an App ID or a link.
                """)
        case (.emptyList, .user):
            localized("Send feedback to the developers of your app. Their replies appear here.")
        case (.emptyList, .staff): localized("Messages from your users appear here.")
        case (.emptyList, .both):
            localized("Messages from your users and replies to your feedback appear here.")
        case (.noConversationChosen, .staff): localized("Select a conversation from the list.")
        case (.noConversationChosen, _): localized("Select a conversation, or write new feedback.")
        case (_, .user): localized("Send feedback to the developers of your apps, and read their replies.")
        case (_, .staff): localized("Read and answer messages from the users of your app.")
        case (_, .both): localized("Send feedback to the developers of your apps, and answer your users.")
        }
    }
}

// MARK: - Messages with a count

extension RoleDependentText {
    /// Returns the label for the number of new messages in one conversation.
    public static func newRepliesText(count: Int, for role: UserRole) -> String {
        role == .user
            ? localized(one: "{count} new reply", other: "{count} new replies", count: count)
            : localized(one: "{count} new message", other: "{count} new messages", count: count)
    }

    /// Returns the label for the number of unread messages in several conversations.
    public static func unreadText(count: Int, for role: UserRole) -> String {
        role == .user
            ? localized(one: "{count} unread reply", other: "{count} unread replies", count: count)
            : localized(one: "{count} unread message", other: "{count} unread messages", count: count)
    }
}
