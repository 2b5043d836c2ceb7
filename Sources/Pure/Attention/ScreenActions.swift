/// What happens to a screen, and what can be done about it.
extension ScreenState {
    /// What happened.
    public enum Input: Sendable {
        /// A turn begins.
        case began
        /// Who shows pop-ups was asked; nil: nobody answered.
        case answered(NotificationServer?)
        /// These pop-ups of an earlier run are on the server's screen.
        case adopted(NotificationServer, [PopupOwner: ShownPopup])
        /// A call of the server failed.
        case failed(ServerFailure)
        /// What the lost screen showed is held, and stored no more.
        case held
        case shown(PopupOwner, ShownPopup)
        /// The server refused what is about no reply.
        case refused
        /// It was taken off the screen by us, and is stored no more.
        case removed(PopupOwner)
        /// The person or the server took it away.
        case ended(UInt32, hasExpired: Bool)
        /// What of the screen was read, of those reads.
        case read([PopupOwner], expired: [UInt32], reads: Int64)
        /// Whether words may not be seen now.
        case privacy(Bool)
        /// Something waits that only a server can show.
        case waiting
        /// Something that is about no reply wants to be shown.
        case notice(PopupOwner)
        /// Replies want to be shown.
        case replies(ReplyQueue)
        /// What came of the last one that was to be shown.
        case outcome(ReplyOutcome)
        /// A turn has ended.
        case rested
    }

    /// What is only to be remembered.
    public enum Fact: Hashable, Sendable {
        /// The count of what was shown is stored.
        case counted(PopupOwner, asOf: Int64)
        /// It is taken out of the server's list.
        case unlisted(UInt32)
        /// A task that was begun is done.
        case did(Task)
        /// Somebody waits for the replies to be over.
        case awaitsEnd
    }

    /// What to do about it, in this order.
    public enum Action: Hashable, Sendable {
        /// Look which stored pop-ups are on this server's screen.
        case adopt(NotificationServer)
        /// Forget the ids, hold what was on the screen, and store nothing of it any more.
        case hold
        case show(PopupOwner)
        /// One pop-up for these.
        case summarise([PopupOwner])
        /// Show it again without words.
        case hideWords(PopupOwner)
        /// Take it off the screen.
        case close(PopupOwner, CloseCause)
        /// Take it out of the server's list.
        case closeExpired(UInt32)
        /// It is not on the screen any more: store that.
        case erase(PopupOwner)
        case did(Task)
        /// They go on waiting, for this reason.
        case postpone([PopupOwner], HoldReason)
        /// What was refused is tried again, but for these messages.
        case retry(except: [MessageKey])
        /// Look again at the latest then.
        case wake(at: Duration)
        /// What is held may be free to go.
        case release
        /// What the clients show may not be there any more, or has room now.
        case tellClients
    }

    public enum Task: Hashable, Sendable {
        case hiding
        case closing(reads: Int64)
    }
}

public enum ServerFailure: Hashable, Sendable {
    /// Another server shows pop-ups now.
    case changed
    /// It is not there or does not answer.
    case gone
}

/// Why we take a pop-up off the screen.
public enum CloseCause: Hashable, Sendable {
    case read, privacy
    /// A reply comes.
    case makesRoom
    /// What it tells is not so any more.
    case over
}

/// What came of showing replies.
public enum ReplyOutcome: Hashable, Sendable {
    case shown
    /// Nothing of it waits any more: it was read meanwhile.
    case over
    /// The server is there and wants this one not: some take only so many at a time.
    case refused
    /// The server went.
    case failed
}
