public import CutieAPI

/// The subject of a notification. There is at most one notification for each owner.
public enum NotificationOwner: Hashable, Sendable {
    /// The replies in one conversation. Conversation IDs are unique only within an account.
    case reply(AccountID, Conversation.ID)
    /// The replies beyond the maximum number of notifications.
    case summary
    /// The failed outbox items with these IDs.
    case failure([String])
    case question(Int64)
    /// The accounts that are not connected.
    case outage
    /// The sign-in to an account.
    case signIn(AccountID)
    /// The end of a snooze, or a conversation that waits for an answer.
    case reminder(AccountID, Conversation.ID)

    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }

    /// Whether the notification is about replies. Replies are counted, and reading them closes the
    /// notification.
    public var announcesReplies: Bool { isReply || self == .summary }

    public var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    public var isReminder: Bool {
        if case .reminder = self { true } else { false }
    }
}

/// An action of a notification. The raw value is the action ID that the notification server receives.
public enum NotificationAction: String, Hashable, Sendable {
    /// A click on the notification itself.
    case open = "default"
    case reply
    case markRead = "mark-read"
    /// Assigns the conversation to the user.
    case assignToMe = "take"
    /// Sends a failed message again.
    case retry
    case allow, refuse
    /// Opens the window for a question that needs more than yes or no.
    case choose
    case reconnect
    /// Opens the sign-in of an account.
    case signIn = "sign-in"
}

/// A notification that is on the screen, as far as the daemon knows.
public struct ShownNotification: Hashable, Sendable {
    /// The ID that the notification server assigned.
    public var id: UInt32
    /// Whether this process showed the notification. A notification of a previous run may have disappeared;
    /// the notification is then replaced when its owner has a new message, and is not counted towards the
    /// maximum.
    public var isOwn: Bool
    /// Whether the notification is a question from the daemon itself, not from an app. The question is closed
    /// when a reply arrives.
    public var yieldsToReplies: Bool
    /// The number of replies in the notification.
    public var count: Int
    /// The number of conversations in the summary.
    public var members: Int
    /// The event-log sequence number of the newest reply in the notification.
    public var lastSequence: Int64
    /// The number of reads (see `Input.read`) at which `count` was determined; `nil` if unknown. `count`
    /// stays correct until the next read.
    public var countedAsOf: Int64?
    /// The senders of the replies, newest first; at most 8, because a title cannot show more.
    public var names: [String]
    /// The actions that the notification offers.
    public var actions: Set<NotificationAction>

    public init(
        id: UInt32, isOwn: Bool = true, yieldsToReplies: Bool = false, count: Int = 1, members: Int = 0,
        lastSequence: Int64 = 0, countedAsOf: Int64? = nil, names: [String] = [],
        actions: Set<NotificationAction> = []
    ) {
        (self.id, self.isOwn, self.yieldsToReplies) = (id, isOwn, yieldsToReplies)
        (self.count, self.members, self.lastSequence) = (count, members, lastSequence)
        self.countedAsOf = countedAsOf
        self.names = Array(names.prefix(8))
        self.actions = actions
    }
}

/// A notification that ended. The server may show it again in its history.
public struct EndedNotification: Hashable, Sendable {
    public var owner: NotificationOwner
    public var notification: ShownNotification

    public init(owner: NotificationOwner, notification: ShownNotification) {
        (self.owner, self.notification) = (owner, notification)
    }
}
