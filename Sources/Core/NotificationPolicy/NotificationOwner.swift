public import CutieAPI

/// The subject of a notification. Each owner has at most one notification.
public enum NotificationOwner: Hashable, Sendable {
    /// The replies of one conversation. Two accounts may have conversations with the same id.
    case reply(AccountID, Conversation.ID)
    /// The replies beyond the limit of notifications.
    case summary
    /// Outbox items that could not be sent.
    case failure([String])
    case question(Int64)
    /// The accounts that are not connected.
    case outage
    /// The sign-in to an account.
    case signIn(AccountID)
    /// The end of a conversation's snooze, or a conversation that waits for an answer.
    case reminder(AccountID, Conversation.ID)

    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }

    /// Whether the notification stands for replies, which are counted and closed as messages are read.
    public var announcesReplies: Bool { isReply || self == .summary }

    public var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    public var isReminder: Bool {
        if case .reminder = self { true } else { false }
    }
}

/// An action of a notification. The raw values are the action ids that the notification server receives.
public enum NotificationAction: String, Hashable, Sendable {
    /// A click on the notification itself.
    case open = "default"
    case reply
    case markRead = "mark-read"
    /// Assigns the conversation to the person.
    case assignToMe = "take"
    /// Sends a failed message again.
    case retry
    case allow, refuse
    /// Opens the window, if the answer needs more than yes or no.
    case choose
    /// Reconnects the accounts.
    case reconnect
    /// Opens the sign-in of an account.
    case signIn = "sign-in"
}

/// A notification that is on the screen, as far as is known.
public struct ShownNotification: Hashable, Sendable {
    /// The id that the notification server assigned.
    public var id: UInt32
    /// Whether this process has shown the notification. A notification of a previous run may have disappeared. It is
    /// replaced when its owner has something new, and does not count against the limit.
    public var isOwn: Bool
    /// Whether the notification is a question of the daemon itself, which closes when a reply arrives.
    public var isTextHidden: Bool
    /// The number of replies that the notification stands for.
    public var count: Int
    /// The number of conversations that the summary stands for.
    public var members: Int
    /// The log sequence of the newest reply that the notification stands for.
    public var lastSequence: Int64
    /// The value of `reads` for which `count` is correct; `nil` if unknown. `count` stays correct until the
    /// next read.
    public var countedAsOf: Int64?
    /// The senders of the replies, newest first. At most 8, because a title has no room for more.
    public var names: [String]
    /// The actions that the notification offers.
    public var actions: Set<NotificationAction>

    public init(
        id: UInt32, isOwn: Bool = true, isTextHidden: Bool = false, count: Int = 1, members: Int = 0,
        lastSequence: Int64 = 0, countedAsOf: Int64? = nil, names: [String] = [],
        actions: Set<NotificationAction> = []
    ) {
        (self.id, self.isOwn, self.isTextHidden) = (id, isOwn, isTextHidden)
        (self.count, self.members, self.lastSequence) = (count, members, lastSequence)
        self.countedAsOf = countedAsOf
        self.names = Array(names.prefix(8))
        self.actions = actions
    }
}

/// A notification that ended. The server may show it again from its history.
public struct EndedNotification: Hashable, Sendable {
    public var owner: NotificationOwner
    public var notification: ShownNotification

    public init(owner: NotificationOwner, notification: ShownNotification) {
        (self.owner, self.notification) = (owner, notification)
    }
}
