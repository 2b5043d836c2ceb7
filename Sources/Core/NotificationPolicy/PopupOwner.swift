public import CutieAPI

/// The subject of a pop-up. Each owner has at most one pop-up.
public enum PopupOwner: Hashable, Sendable {
    /// The replies of one conversation. Two accounts may have conversations with the same id.
    case reply(AccountID, Conversation.ID)
    /// The replies beyond the limit of pop-ups.
    case summary
    /// Outbox items that could not be sent.
    case failure([String])
    case question(Int64)
    /// The accounts that are not connected.
    case outage
    /// The sign-in to an account.
    case signIn(AccountID)

    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }

    /// Whether the pop-up stands for replies, which are counted and closed as messages are read.
    public var announcesReplies: Bool { isReply || self == .summary }

    public var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}

/// An action of a pop-up. The raw values are the action ids that the notification server receives.
public enum PopupAction: String, Hashable, Sendable {
    /// A click on the pop-up itself.
    case open = "default"
    case reply
    case markRead = "mark-read"
    /// Assigns the conversation to the person.
    case take
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

/// A pop-up that is on the screen, as far as is known.
public struct ShownPopup: Hashable, Sendable {
    /// The id that the notification server assigned.
    public var id: UInt32
    /// Whether this process has shown the pop-up. A pop-up of a previous run may have disappeared. It is
    /// replaced when its owner has something new, and does not count against the limit.
    public var isOwn: Bool
    /// Whether the pop-up is a question of the daemon itself, which closes when a reply arrives.
    public var isTextHidden: Bool
    /// The number of replies that the pop-up stands for.
    public var count: Int
    /// The number of conversations that the summary stands for.
    public var members: Int
    /// The log sequence of the newest reply that the pop-up stands for.
    public var lastSequence: Int64
    /// The value of `reads` for which `count` is correct; `nil` if unknown. `count` stays correct until the
    /// next read.
    public var countedAsOf: Int64?
    /// The senders of the replies, newest first. At most 8, because a title has no room for more.
    public var names: [String]
    /// The actions that the pop-up offers.
    public var actions: Set<PopupAction>

    public init(
        id: UInt32, isOwn: Bool = true, isTextHidden: Bool = false, count: Int = 1, members: Int = 0,
        lastSequence: Int64 = 0, countedAsOf: Int64? = nil, names: [String] = [],
        actions: Set<PopupAction> = []
    ) {
        (self.id, self.isOwn, self.isTextHidden) = (id, isOwn, isTextHidden)
        (self.count, self.members, self.lastSequence) = (count, members, lastSequence)
        self.countedAsOf = countedAsOf
        self.names = Array(names.prefix(8))
        self.actions = actions
    }
}

/// A pop-up that ended. The server may show it again from its history.
public struct EndedPopup: Hashable, Sendable {
    public var owner: PopupOwner
    public var popup: ShownPopup

    public init(owner: PopupOwner, popup: ShownPopup) { (self.owner, self.popup) = (owner, popup) }
}
