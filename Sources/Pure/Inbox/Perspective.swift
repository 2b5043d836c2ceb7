public import Config
public import CutieAPI

/// Whose eyes the messages are seen with: it says what is one's own, what is news and what is hidden.
public enum Perspective: Hashable, Sendable {
    /// The person who wrote to an app's makers.
    case person
    /// Somebody of the app's makers, who answers.
    case staff(Staff)

    public struct Staff: Hashable, Sendable {
        /// What their messages are signed with; nil: not known before they have signed in.
        public var adminID: String?
        /// Nothing is assigned to a machine.
        public var isPerson: Bool
        /// The conversations whose users they want to hear of.
        public var notify: Set<AccountConfiguration.Notify>

        public init(
            adminID: String?, isPerson: Bool = true, notify: Set<AccountConfiguration.Notify>
        ) {
            (self.adminID, self.isPerson, self.notify) = (adminID, isPerson, notify)
        }
    }

    public func isOwn(_ message: Message) -> Bool {
        switch self {
        case .person: message.senderType == .user
        case .staff(let staff): Self.isAdmin(message) && staff.adminID == message.senderID
        }
    }

    private static func isAdmin(_ message: Message) -> Bool {
        message.senderType == .admin && message.senderID != nil
    }

    /// Only admins read it.
    public func isNote(_ message: Message) -> Bool { message.isInternalNote }

    /// Never stored, shown or counted: notes are nothing to a person.
    public func hides(_ message: Message) -> Bool {
        switch self {
        case .person: isNote(message)
        case .staff: false
        }
    }

    /// From the other side: it asks for attention, in whatever conversation it is.
    public func isReply(_ message: Message) -> Bool {
        guard !isNote(message) else { return false }
        return switch self {
        case .person: !isOwn(message)
        case .staff: message.senderType == .user
        }
    }

    /// From this side: one's own words, and those of who answers beside oneself.
    public func isOfThisSide(_ message: Message) -> Bool { !isReply(message) && !isNote(message) }

    /// Ends what waits for an answer in its conversation.
    public func isAnswer(_ message: Message) -> Bool {
        switch self {
        case .person: false
        case .staff: message.senderType == .admin && !isNote(message)
        }
    }

    /// Of a thread, the oldest first: the replies that nobody has answered.
    public func waiting(in thread: [Message]) -> [Message] {
        let start = thread.lastIndex(where: isAnswer).map { $0 + 1 } ?? thread.startIndex
        return thread[start...].filter(isReply)
    }

    /// Whether what is written in a conversation is news, and counts.
    public func isFollowed(_ conversation: Conversation) -> Bool {
        switch self {
        case .person: true
        case .staff(let staff):
            staff.notify.contains(.all)
                || staff.notify.contains(.unassigned) && conversation.assignedAdminID == nil
                || staff.notify.contains(.mine) && conversation.assignedAdminID != nil
                    && conversation.assignedAdminID == staff.adminID
        }
    }

    /// The server counts what is unread, and knows what was read. What it tells staff is about the user.
    public var isCountedByServer: Bool { self == .person }

    /// The badge counts conversations, not what is written in them.
    public var countsConversations: Bool { self != .person }

    /// Whether it can be assigned to oneself, and is not.
    public func canTake(_ conversation: Conversation) -> Bool {
        switch self {
        case .person: false
        case .staff(let staff):
            staff.isPerson && staff.adminID != nil && conversation.assignedAdminID != staff.adminID
        }
    }
}
