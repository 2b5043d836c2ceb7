/// The inputs and actions of the state machine.
extension NotificationState {
    /// An event for the state machine.
    public enum Input: Sendable {
        /// A step begins.
        case started
        /// The server was queried; `nil` if there is none.
        case serverAnswered(NotificationServer?)
        /// The stored notifications of this server's session were adopted, and the ended ones, oldest first.
        case adopted(
            NotificationServer, [NotificationOwner: ShownNotification], ended: [EndedNotification] = [])
        /// A call to the server failed.
        case failed(ServerFailure)
        /// The notifications of the lost server are held and no longer stored.
        case held
        case shown(NotificationOwner, ShownNotification)
        /// The server refused a notification that is not about a reply.
        case refused
        /// The daemon closed the notification, and its row is erased.
        case removed(NotificationOwner)
        /// The person or the server closed the notification with this id.
        case ended(UInt32, hasExpired: Bool)
        /// The notifications and expired ids whose messages were read, up to `reads`.
        case read([NotificationOwner], expired: [UInt32], reads: Int64)
        /// Whether a private pause hides text now.
        case privacy(Bool)
        /// A message is pending but there may be no server.
        case waiting
        /// A notification that is not about a reply is ready to be shown.
        case notice(NotificationOwner)
        /// Replies are ready to be shown.
        case replies(ReplyQueue)
        /// The result of the last `show` or `summarize` action.
        case outcome(ReplyOutcome)
        /// A step has ended.
        case idle
    }

    /// A fact that the state records without any action.
    public enum Fact: Hashable, Sendable {
        /// The count of the notification is stored, as of these reads.
        case counted(NotificationOwner, asOf: Int64)
        /// The notification is removed from the server's history.
        case unlisted(UInt32)
        /// The task of an earlier action is complete.
        case completed(Task)
        /// A client waits until no reply is on the screen.
        case notifyAtEnd
    }

    /// An effect for the caller to carry out, in the order of the list.
    public enum Action: Hashable, Sendable {
        /// Look up which stored notifications belong to this server's session.
        case adopt(NotificationServer)
        /// Forget the ids, make the replies on the screen pending, and erase all rows.
        case hold
        case show(NotificationOwner)
        /// Show one notification for these owners.
        case summarize([NotificationOwner])
        /// Show the notification again without text.
        case hideText(NotificationOwner)
        /// Close the notification.
        case close(NotificationOwner, CloseCause)
        /// Remove the notification from the server's history.
        case closeExpired(UInt32)
        /// Erase the row of a notification that is no longer on the screen.
        case erase(NotificationOwner)
        case completed(Task)
        /// Hold the replies of these owners for this reason.
        case postpone([NotificationOwner], HoldReason)
        /// Try the refused messages again, except these.
        case retry(except: [MessageKey])
        /// Run the next step at this time at the latest.
        case wake(at: Duration)
        /// Examine held messages, because they may be released now.
        case release
        /// Notify clients: their notifications may be gone, or there may be room for them.
        case notifyClients
    }

    /// A task whose completion the state records after its actions.
    public enum Task: Hashable, Sendable {
        case hiding
        case closing(reads: Int64)
    }
}

/// The reason why a call to the server failed.
public enum ServerFailure: Hashable, Sendable {
    /// Another server shows notifications now.
    case changed
    /// The server is gone or does not answer.
    case unavailable
}

/// The reason why the daemon closes a notification.
public enum CloseCause: Hashable, Sendable {
    case read, privacy
    /// A reply needs the place.
    case roomNeeded
    /// The content is no longer true.
    case finished
}

/// The result of showing replies.
public enum ReplyOutcome: Hashable, Sendable {
    case shown
    /// All messages were read before they could be shown.
    case finished
    /// The server refused this notification. Some servers limit how many they accept at a time.
    case refused
    /// The server was lost.
    case failed
}
