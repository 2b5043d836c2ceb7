/// The inputs and actions of the state machine.
extension NotificationState {
    public enum Input: Sendable {
        /// The caller starts a step: a sequence of inputs that reports all current changes.
        case stepStarted
        /// The result of a query for the notification server; `nil` if none is running.
        case server(NotificationServer?)
        /// The result of `Action.adopt`: the stored notifications that this server still shows. `ended`: the
        /// notifications that this server no longer shows, oldest first.
        case adopted(
            NotificationServer, [NotificationOwner: ShownNotification], ended: [EndedNotification] = [])
        /// A call to the server failed.
        case failed(NotificationServerFailure)
        /// The result of `Action.holdAllReplies`: the replies that the lost server had shown are held, and
        /// the database rows of its notifications are deleted.
        case repliesHeld
        case shown(NotificationOwner, ShownNotification)
        /// The server rejected a notification that is not about a reply.
        case refused
        /// The daemon closed the notification and deleted its database row.
        case removed(NotificationOwner)
        /// The notification with this ID was closed by the user or the server, or expired.
        case ended(UInt32, hasExpired: Bool)
        /// All messages of these notifications, and of the expired notifications with these IDs, were read.
        /// `reads`: the value of the read counter, which is incremented whenever messages may have been read.
        case read([NotificationOwner], expired: [UInt32], reads: Int64)
        /// Whether a private pause, which hides text, is active now.
        case privacy(Bool)
        /// A message is pending, so a server is needed.
        case waiting
        /// A notification that is not about a reply is ready to be shown.
        case notice(NotificationOwner)
        /// Replies are ready to be shown.
        case replies(ReplyBatch)
        /// The result of the last `show` or `summarize` action.
        case outcome(ReplyOutcome)
        /// The caller has finished the current step.
        case stepFinished
    }

    /// An input that changes the state and never causes an action.
    public enum Fact: Hashable, Sendable {
        /// The notification could not be stored, so its count may be wrong.
        case uncounted(NotificationOwner)
        /// The notification was removed from the server's history.
        case unlisted(UInt32)
        /// All actions of a task were performed.
        case completed(Task)
        /// A client is waiting until no reply notification is on the screen.
        case notifyAtEnd
    }

    /// An effect that the caller performs. The caller performs the actions in order.
    public enum Action: Hashable, Sendable {
        /// Determine which stored notifications this server still shows.
        case adopt(NotificationServer)
        /// Discard all notification IDs, hold the replies that were on the screen, and delete the database
        /// rows of all notifications.
        case holdAllReplies
        case show(NotificationOwner)
        /// Show one summary notification for these owners.
        case summarize([NotificationOwner])
        /// Replace the notification with a notification without text.
        case hideText(NotificationOwner)
        case close(NotificationOwner, CloseCause)
        /// Remove the notification from the server's history.
        case closeExpired(UInt32)
        /// Delete the database row of a notification that is no longer on the screen.
        case erase(NotificationOwner)
        case completed(Task)
        /// Hold the replies of these owners for this reason.
        case postpone([NotificationOwner], HoldReason)
        /// Retry the rejected messages, except those with these keys, which were rejected too often.
        case retry(except: [MessageKey])
        /// Start the next step no later than at this time.
        case wake(at: Duration)
        /// Check the held messages, because some of them may now be shown.
        case checkHeldMessages
        /// Notify waiting clients: no reply notification is on the screen, or the notification server was
        /// lost.
        case notifyClients
    }

    /// A task of several actions. The last action of the task records that the previous actions succeeded.
    public enum Task: Hashable, Sendable {
        case hiding
        case closing(reads: Int64)
    }
}

/// The reason why a call to the server failed.
public enum NotificationServerFailure: Hashable, Sendable {
    /// A different server is now running.
    case changed
    /// The server exited or does not respond.
    case unavailable
}

/// The reason why the daemon closes a notification.
public enum CloseCause: Hashable, Sendable {
    case read, privacy
    /// The space on the screen is needed for a reply.
    case roomNeeded
    /// The content is obsolete.
    case finished
}

/// The result of showing replies.
public enum ReplyOutcome: Hashable, Sendable {
    case shown
    /// All messages were read before they could be shown.
    case finished
    /// The server rejected the notification, for example because it limits the number of notifications.
    case refused
    /// The server exited before the replies were shown.
    case failed
}
