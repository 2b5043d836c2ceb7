public import CutieAPI

/// The subject of a notification. There is at most one notification for each owner.
public enum NotificationOwner: Hashable, Sendable {
    /// The replies in one conversation. The account is included, because conversation IDs are unique only
    /// within an account.
    case reply(AccountID, Conversation.ID)
    /// The summary of the replies that exceed the maximum number of notifications.
    case summary
    /// The failed outbox items with these IDs.
    case failure([String])
    case question(Int64)
    /// An outage: the accounts that are not connected.
    case outage
    /// The sign-in to an account.
    case signIn(AccountID)
    /// A reminder: a snooze ended, or a conversation waits for a reply.
    case reminder(AccountID, Conversation.ID)

    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }

    /// Whether the notification is about replies. Such a notification shows the number of replies, and is
    /// closed when the replies are read.
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
    /// Opens the window, because the answer to the question requires a choice.
    case choose
    case reconnect
    /// Opens the page that signs the user in to an account.
    case signIn = "sign-in"
}

/// A notification that is on the screen according to the events from the server.
public struct ShownNotification: Hashable, Sendable {
    /// The ID that the notification server assigned.
    public var id: UInt32
    /// Whether this process showed the notification. A notification of a previous run may already have
    /// disappeared. Therefore, a notification of a previous run is not counted towards the maximum, and the
    /// next message of its owner replaces the notification.
    public var isFromThisRun: Bool
    /// Whether the notification is closed when a reply arrives. The value is `true` for questions from the
    /// daemon itself, and `false` for questions from apps.
    public var yieldsToReplies: Bool
    /// The number of replies in the notification.
    public var count: Int
    /// The number of conversations in the summary.
    public var members: Int
    /// The event-log sequence number of the newest reply in the notification.
    public var lastSequence: Int64
    /// The value of the read counter (see `Input.read`) when `count` was determined; `nil` if unknown. While
    /// the read counter has this value, `count` is correct.
    public var countedAsOf: Int64?
    /// The senders of the replies, newest first; at most 8, which is more than a title can show.
    public var names: [String]
    /// The actions that the notification offers.
    public var actions: [NotificationAction]

    public init(
        id: UInt32, isFromThisRun: Bool = true, yieldsToReplies: Bool = false, count: Int = 1,
        members: Int = 0,
        lastSequence: Int64 = 0, countedAsOf: Int64? = nil, names: [String] = [],
        actions: [NotificationAction] = []
    ) {
        (self.id, self.isFromThisRun, self.yieldsToReplies) = (id, isFromThisRun, yieldsToReplies)
        (self.count, self.members, self.lastSequence) = (count, members, lastSequence)
        self.countedAsOf = countedAsOf
        self.names = Array(names.prefix(8))
        self.actions = actions
    }
}

/// A notification that was closed or expired. The server may still show it in its history.
public struct EndedNotification: Hashable, Sendable {
    public var owner: NotificationOwner
    public var notification: ShownNotification

    public init(owner: NotificationOwner, notification: ShownNotification) {
        (self.owner, self.notification) = (owner, notification)
    }
}
