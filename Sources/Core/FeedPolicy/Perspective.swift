public import Config
public import CutieAPI

/// The role from which an account sees messages. Determines which messages are the user's own, new or hidden.
public enum Perspective: Hashable, Sendable {
    /// A user who wrote to the developer of an app.
    case user
    /// A member of support staff, who answers users.
    case staff(Staff)

    public struct Staff: Hashable, Sendable {
        /// The sender ID of the user's messages; `nil` before the sign-in.
        public var adminID: String?
        /// Whether the account belongs to a human. Conversations cannot be assigned to a program.
        public var isPerson: Bool
        /// The conversations whose messages cause notifications.
        public var notify: Set<AccountConfiguration.Notify>

        public init(
            adminID: String?, isPerson: Bool = true, notify: Set<AccountConfiguration.Notify>
        ) {
            (self.adminID, self.isPerson, self.notify) = (adminID, isPerson, notify)
        }
    }

    public func isOwn(_ message: Message) -> Bool {
        switch self {
        case .user: message.senderType == .user
        case .staff(let staff): Self.isAdmin(message) && staff.adminID == message.senderID
        }
    }

    private static func isAdmin(_ message: Message) -> Bool {
        message.senderType == .admin && message.senderID != nil
    }

    /// Returns whether only support staff may read the message.
    public func isNote(_ message: Message) -> Bool { message.isInternalNote }

    /// Returns whether the message is never stored, shown or counted. Notes are hidden from users.
    public func hides(_ message: Message) -> Bool {
        switch self {
        case .user: isNote(message)
        case .staff: false
        }
    }

    /// Returns whether the message is from the other side and may need attention.
    public func isReply(_ message: Message) -> Bool {
        guard !isNote(message) else { return false }
        return switch self {
        case .user: !isOwn(message)
        case .staff: message.senderType == .user
        }
    }

    /// Returns whether the message is from the user or, for support staff, from a colleague.
    public func isFromOwnSide(_ message: Message) -> Bool { !isReply(message) && !isNote(message) }

    /// Returns whether the message answers all previous replies of its conversation.
    public func isAnswer(_ message: Message) -> Bool {
        switch self {
        case .user: false
        case .staff: message.senderType == .admin && !isNote(message)
        }
    }

    /// Returns the replies that are not answered yet.
    ///
    /// - Parameter thread: the messages of a conversation, oldest first.
    public func unansweredMessages(in thread: [Message]) -> [Message] {
        let start = thread.lastIndex(where: isAnswer).map { $0 + 1 } ?? thread.startIndex
        return thread[start...].filter(isReply)
    }

    /// Returns whether messages of the conversation cause notifications and are counted in the badge.
    public func isFollowed(_ conversation: Conversation) -> Bool {
        switch self {
        case .user: true
        case .staff(let staff):
            staff.notify.contains(.all)
                || staff.notify.contains(.unassigned) && conversation.assignedAdminID == nil
                || staff.notify.contains(.mine) && conversation.assignedAdminID != nil
                    && conversation.assignedAdminID == staff.adminID
        }
    }

    /// Whether the server's unread counts apply to this account. They do not apply to a support account,
    /// because the server counts the messages that the app's user has not read.
    public var isCountedByServer: Bool { self == .user }

    /// Whether the badge counts conversations instead of messages.
    public var countsConversations: Bool { self != .user }

    /// Returns whether the conversation can be assigned to this account's user and is not assigned to them
    /// yet.
    public func canAssign(_ conversation: Conversation) -> Bool {
        switch self {
        case .user: false
        case .staff(let staff):
            staff.isPerson && staff.adminID != nil && conversation.assignedAdminID != staff.adminID
        }
    }
}
