public import CutieAPI

/// What a pop-up is about. There is at most one pop-up for each.
public enum PopupOwner: Hashable, Sendable {
    /// The replies of one conversation. Two accounts may have a conversation of one id.
    case reply(AccountID, Conversation.ID)
    /// All replies that exceed the number of pop-ups.
    case summary
    /// Items of the outbox that could not be sent.
    case failure([String])
    case question(Int64)
    /// Accounts without a connection.
    case outage
    /// Signing in to an account.
    case signIn(AccountID)

    public var isReply: Bool {
        if case .reply = self { true } else { false }
    }

    /// Whether it stands for replies, which are closed and counted by what is read.
    public var tellsReplies: Bool { isReply || self == .summary }

    public var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}

/// What a person can do with a pop-up, by the names that the notification server is given.
public enum PopupAction: String, Hashable, Sendable {
    /// A click on the pop-up itself.
    case open = "default"
    case reply
    case markRead = "mark-read"
    /// To assign it to oneself.
    case take
    /// Of what was not sent.
    case retry
    case allow, refuse
    /// Where there is more to say than yes or no: in the window.
    case choose
    /// Of accounts without a connection.
    case reconnect
    /// Of an account that somebody has to sign in to.
    case signIn = "sign-in"
}

/// A pop-up that is on the screen, as far as anybody tells.
public struct ShownPopup: Hashable, Sendable {
    /// The notification server's number for it.
    public var id: UInt32
    /// Shown by this process. Of an earlier run's nobody tells whether it is still there: it is replaced where
    /// something comes, and takes nobody's place.
    public var isOwn: Bool
    /// It is asked by the way and goes where a reply comes.
    public var isModest: Bool
    /// How many replies it stands for.
    public var count: Int
    /// How many conversations a summary stands for.
    public var members: Int
    /// Of the newest reply that it stands for, in the log.
    public var lastSequence: Int64
    /// Of which reads `count` knows; what it was then it is until the next read. nil: of none.
    public var countedAsOf: Int64?
    /// Who wrote what it stands for, newest first. Bounded, as no title has room for more.
    public var names: [String]
    /// What it offers.
    public var actions: Set<PopupAction>

    public init(
        id: UInt32, isOwn: Bool = true, isModest: Bool = false, count: Int = 1, members: Int = 0,
        lastSequence: Int64 = 0, countedAsOf: Int64? = nil, names: [String] = [],
        actions: Set<PopupAction> = []
    ) {
        (self.id, self.isOwn, self.isModest) = (id, isOwn, isModest)
        (self.count, self.members, self.lastSequence) = (count, members, lastSequence)
        self.countedAsOf = countedAsOf
        self.names = Array(names.prefix(8))
        self.actions = actions
    }
}
