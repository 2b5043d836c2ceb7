/// The inputs and actions of the state machine.
extension NotificationState {
    public enum Input: Sendable {
        /// The caller starts a step, which processes all current changes.
        case started
        /// The result of a query for the server; `nil` if no server is running.
        case server(NotificationServer?)
        /// The stored notifications of this server were adopted. `ended`: the ended notifications, oldest
        /// first.
        case adopted(
            NotificationServer, [NotificationOwner: ShownNotification], ended: [EndedNotification] = [])
        /// A call to the server failed.
        case failed(ServerFailure)
        /// The notifications of the lost server are held, and their database rows are deleted.
        case held
        case shown(NotificationOwner, ShownNotification)
        /// The server rejected a notification that is not about a reply.
        case refused
        /// The daemon closed the notification, and its database row is deleted.
        case removed(NotificationOwner)
        /// The user or the server closed the notification with this ID.
        case ended(UInt32, hasExpired: Bool)
        /// The notifications and expired IDs whose messages were read. `reads`: the number of reads that are
        /// included.
        case read([NotificationOwner], expired: [UInt32], reads: Int64)
        /// Whether a private pause hides text now.
        case privacy(Bool)
        /// A message is pending, but a server may be missing.
        case waiting
        /// A notification that is not about a reply is ready to be shown.
        case notice(NotificationOwner)
        /// Replies are ready to be shown.
        case replies(ReplyBatch)
        /// The result of the last `show` or `summarize` action.
        case outcome(ReplyOutcome)
        /// The caller has completed the step.
        case idle
    }

    /// A fact that changes the state but requires no action.
    public enum Fact: Hashable, Sendable {
        /// The count of the notification is stored and includes this number of reads.
        case counted(NotificationOwner, asOf: Int64)
        /// The notification was removed from the server's history.
        case unlisted(UInt32)
        /// A task of a previous action is complete.
        case completed(Task)
        /// A client waits until no reply notification is on the screen.
        case notifyAtEnd
    }

    /// An effect that the caller performs. Actions are performed in order.
    public enum Action: Hashable, Sendable {
        /// Determine which stored notifications belong to this server.
        case adopt(NotificationServer)
        /// Discard all notification IDs, hold the replies that were on the screen, and delete all database
        /// rows.
        case hold
        case show(NotificationOwner)
        /// Show one summary notification for these owners.
        case summarize([NotificationOwner])
        /// Show the notification again without text.
        case hideText(NotificationOwner)
        case close(NotificationOwner, CloseCause)
        /// Remove the notification from the server's history.
        case closeExpired(UInt32)
        /// Delete the database row of a notification that is no longer on the screen.
        case erase(NotificationOwner)
        case completed(Task)
        /// Hold the replies of these owners for this reason.
        case postpone([NotificationOwner], HoldReason)
        /// Retry the rejected messages, except those with these keys.
        case retry(except: [MessageKey])
        /// Start the next step no later than at this time.
        case wake(at: Duration)
        /// Check the held messages, because some may be released now.
        case release
        /// Notify clients that their notifications may have disappeared or may be shown again.
        case notifyClients
    }

    /// A task that the state marks as complete after its actions succeeded.
    public enum Task: Hashable, Sendable {
        case hiding
        case closing(reads: Int64)
    }
}

/// The reason why a call to the server failed.
public enum ServerFailure: Hashable, Sendable {
    /// Another server now shows notifications.
    case changed
    /// The server exited or does not respond.
    case unavailable
}

/// The reason why the daemon closes a notification.
public enum CloseCause: Hashable, Sendable {
    case read, privacy
    /// A reply needs the space on the screen.
    case roomNeeded
    /// The content is outdated.
    case finished
}

/// The result of showing replies.
public enum ReplyOutcome: Hashable, Sendable {
    case shown
    /// All messages were read before they could be shown.
    case finished
    /// The server rejected this notification. Some servers limit the number of notifications.
    case refused
    /// The server exited before the replies were shown.
    case failed
}
