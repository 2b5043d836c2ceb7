public import Config
public import CutieAPI

/// The side from which an account sees messages: the user of an app, or support. The side determines which
/// messages are the account's own, which are replies, and which are hidden.
public enum Perspective: Hashable, Sendable {
    /// A user who wrote to the developer of an app.
    case user
    /// A member of support staff, who answers users.
    case staff(Staff)

    public struct Staff: Hashable, Sendable {
        /// The user's admin ID, which is the sender ID of the user's messages; `nil` before the sign-in.
        public var adminID: String?
        /// Whether a person is signed in. Conversations cannot be assigned to a machine account.
        public var isPerson: Bool
        /// The conversations whose messages cause notifications.
        public var notify: Set<AccountConfiguration.NotificationScope>

        public init(
            adminID: String?, isPerson: Bool = true, notify: Set<AccountConfiguration.NotificationScope>
        ) {
            (self.adminID, self.isPerson, self.notify) = (adminID, isPerson, notify)
        }
    }

    public func isOwnMessage(_ message: Message) -> Bool {
        switch self {
        case .user: message.senderType == .user
        case .staff(let staff): Self.isFromAdmin(message) && staff.adminID == message.senderID
        }
    }

    private static func isFromAdmin(_ message: Message) -> Bool {
        message.senderType == .admin && message.senderID != nil
    }

    /// Returns whether only support staff may read the message.
    public func isNote(_ message: Message) -> Bool { message.isInternalNote }

    /// Returns whether the message must not be stored, shown or counted. Internal notes are hidden from
    /// users.
    public func hides(_ message: Message) -> Bool {
        switch self {
        case .user: isNote(message)
        case .staff: false
        }
    }

    /// Returns whether the other side sent the message: support or the system for a user, the app's user for
    /// support staff. A note is not a reply.
    public func isReply(_ message: Message) -> Bool {
        guard !isNote(message) else { return false }
        return switch self {
        case .user: !isOwnMessage(message)
        case .staff: message.senderType == .user
        }
    }

    /// Returns whether the message was sent by the account's own side: the user or, for support staff, also a
    /// colleague or the system.
    public func isFromOwnSide(_ message: Message) -> Bool { !isReply(message) && !isNote(message) }

    /// Returns whether the message answers all earlier messages of the app's user in the conversation. Only
    /// messages from support staff are answers.
    public func isAnswer(_ message: Message) -> Bool {
        switch self {
        case .user: false
        case .staff: message.senderType == .admin && !isNote(message)
        }
    }

    /// Returns the messages from the other side after the last answer.
    ///
    /// - Parameter thread: the messages of a conversation, oldest first.
    public func unansweredMessages(in thread: [Message]) -> [Message] {
        let start = thread.lastIndex(where: isAnswer).map { $0 + 1 } ?? thread.startIndex
        return thread[start...].filter(isReply)
    }

    /// Returns whether messages of the conversation cause notifications and are counted in the badge.
    public func isSubscribed(to conversation: Conversation) -> Bool {
        switch self {
        case .user: true
        case .staff(let staff):
            staff.notify.contains(.all)
                || staff.notify.contains(.unassigned) && conversation.assignedAdminID == nil
                || staff.notify.contains(.mine) && conversation.assignedAdminID != nil
                    && conversation.assignedAdminID == staff.adminID
        }
    }

    /// Whether the server's unread counts apply to this account. For a support account, the counts do not
    /// apply, because the server counts the messages that the app's user has not read.
    public var isCountedByServer: Bool { self == .user }

    /// Whether the badge counts conversations instead of messages.
    public var countsConversations: Bool { self != .user }

    /// Returns whether the conversation can be assigned to the signed-in user and is not yet assigned to that
    /// user.
    public func canAssignToSelf(_ conversation: Conversation) -> Bool {
        switch self {
        case .user: false
        case .staff(let staff):
            staff.isPerson && staff.adminID != nil && conversation.assignedAdminID != staff.adminID
        }
    }
}
