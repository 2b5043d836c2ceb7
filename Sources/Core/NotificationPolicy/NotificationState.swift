/// The state machine for notifications and the notification server. `handle` returns the actions for an
/// input,
/// and uses no socket, clock, database or task. All times are monotonic.
///
/// A notification server may exit and restart at any time. After the exit, the IDs that it assigned are
/// invalid.
public struct NotificationState: Sendable {
    /// The state of the notification server.
    public enum Phase: Hashable, Sendable {
        /// The notification server has not been identified yet.
        case unknown
        /// No server is running, so no notification is on the screen.
        case absent(since: Duration)
        case present(NotificationServer)
        /// The server exited, but its notifications are still in the database. The notifications must be held
        /// before the next server is adopted. Otherwise, the state would treat them as shown by the next
        /// server.
        case lost
    }

    public private(set) var phase = Phase.unknown
    public private(set) var notifications: [NotificationOwner: ShownNotification] = [:]
    var pacing: NotificationPacing
    /// The replies to show after `current`.
    private var batch: ReplyBatch?
    private var current: ReplyBatch.Item?
    private var owners: [UInt32: NotificationOwner] = [:]
    /// The notifications that were closed or expired, newest last. The state keeps them, because the server
    /// may report a click later, for example if the user opens the server's history.
    private var endedNotifications: [EndedNotification] = []
    /// The expired notifications, newest last. Some servers list expired notifications in their history.
    public private(set) var expiredOwners: [(id: UInt32, owner: NotificationOwner)] = []
    /// The value of the read counter when notifications with read messages were last closed; `nil` if all
    /// notifications must be checked.
    public private(set) var closedReads: Int64?
    /// Whether the text of the notifications on the screen is already hidden.
    private var areTextsHidden = false
    /// Whether a client is waiting until no reply notification is on the screen.
    public private(set) var notifiesAtEnd = false
    /// The maximum number of entries in `endedNotifications` and in `expiredOwners`.
    private let endedMemory = 256

    public init(pacing: NotificationPacing) { self.pacing = pacing }

    /// Applies `input` and returns the actions. A notification counts as shown or closed only after the
    /// caller reports the result of the action.
    public mutating func handle(_ input: Input, now: Duration) -> [Action] {
        switch input {
        // Repeat the hold if a database error prevented the hold in a previous step.
        case .stepStarted: return phase == .lost ? [.holdAllReplies] : []
        case .server(let server): return handleServerQueryResult(server, at: now)
        case .adopted(let server, let notifications, let ended):
            return adoptNotifications(notifications, endedNotifications: ended, from: server)
        case .failed(let failure): return handleServerFailure(failure, at: now)
        case .repliesHeld: return markServerAbsent(at: now)
        case .shown(let owner, let notification):
            return recordShown(forOwner: owner, notification: notification, at: now)
        case .refused: return [.wake(at: pacing.delayNextAttempt(now: now))]
        case .removed(let owner): return removeNotification(of: owner)
        case .ended(let id, let hasExpired): return handleEnd(of: id, hasExpired: hasExpired)
        case .read(let owners, let ids, let reads):
            let actions = owners.map { Action.close($0, .read) } + ids.map { .closeExpired($0) }
            return actions + [.completed(.closing(reads: reads))]
        case .privacy(let isOn): return setTextHidden(isOn)
        case .waiting: return !hasServer ? [.wake(at: pacing.delayNextAttempt(now: now))] : []
        case .notice(let owner): return showNotice(of: owner, at: now)
        case .replies(let batch):
            self.batch = batch
            return showNextReply(at: now)
        case .outcome(let outcome): return continueShowingReplies(after: outcome, at: now)
        case .stepFinished:
            batch = nil
            return notifyClientsIfFinished()
        }
    }

    /// Records a fact that requires no action of the caller.
    public mutating func record(_ fact: Fact) {
        switch fact {
        case .uncounted(let owner): notifications[owner]?.countedAsOf = nil
        case .unlisted(let id): expiredOwners.removeAll { $0.id == id }
        case .completed(.hiding): areTextsHidden = true
        case .completed(.closing(let reads)): closedReads = reads
        case .notifyAtEnd: notifiesAtEnd = true
        }
    }
}

// MARK: - Queries

extension NotificationState {
    /// The current notification server; `nil` if none is running.
    public var server: NotificationServer? {
        if case .present(let server) = phase { server } else { nil }
    }

    /// Whether a notification server is running. Unlike `server`, does not copy the description of the server.
    public var hasServer: Bool { if case .present = phase { true } else { false } }

    public subscript(owner: NotificationOwner) -> ShownNotification? { notifications[owner] }

    /// Returns whether this process showed the notification of `owner`.
    public func isFromThisRun(notificationOf owner: NotificationOwner) -> Bool {
        notifications[owner]?.isFromThisRun ?? false
    }

    /// Whether reply notifications of this process are on the screen or about to be shown.
    public var announcesReplies: Bool {
        batch != nil || notifications.contains { $0.key.announcesReplies && $0.value.isFromThisRun }
    }

    /// Returns the notification with this ID, which is on the screen or was closed recently. `nil` if the
    /// daemon did not show a notification with this ID, or if a new notification has the ID.
    public func notification(withID id: UInt32) -> (
        owner: NotificationOwner, notification: ShownNotification
    )? {
        if let owner = owners[id], let notification = notifications[owner] { return (owner, notification) }
        return endedNotification(withID: id).map { ($0.owner, $0.notification) }
    }

    /// Returns the closed or expired notification with this ID; `nil` if none is known, or if a new
    /// notification has the ID.
    public func endedNotification(withID id: UInt32) -> EndedNotification? {
        owners[id] == nil ? endedNotifications.last { $0.notification.id == id } : nil
    }
}

// MARK: - Servers

extension NotificationState {
    private mutating func handleServerQueryResult(_ newServer: NotificationServer?, at now: Duration)
        -> [Action]
    {
        switch (phase, newServer) {
        case (.unknown, nil):
            phase = .absent(since: now)
            return []
        // Handle a change of the server here too: the notifier reports a change only once, to the task that
        // queries the server first, which may be this task.
        case (.present(let server), let found?) where found != server:
            return handleServerFailure(.changed, at: now)
        case (.absent, nil), (.present, _), (.lost, nil): return []
        case (.lost, let found?): return [.holdAllReplies, .adopt(found)]
        case (_, let found?): return [.adopt(found)]
        }
    }

    private mutating func adoptNotifications(
        _ openNotifications: [NotificationOwner: ShownNotification], endedNotifications: [EndedNotification],
        from server: NotificationServer
    ) -> [Action] {
        // Do nothing if a concurrent query has already adopted a server.
        switch phase {
        case .unknown, .absent: break
        case .present, .lost: return []
        }
        phase = .present(server)
        notifications = openNotifications
        owners = Dictionary(openNotifications.map { ($0.value.id, $0.key) }) { _, last in last }
        self.endedNotifications = endedNotifications.suffix(endedMemory)
        closedReads = nil
        // Release held messages explicitly, because not every task that queries the server also releases
        // messages.
        return [.checkHeldMessages]
    }

    /// Handles the exit or the replacement of the server. The replies on the screen are held until the next
    /// server shows them again.
    private mutating func handleServerFailure(_ failure: NotificationServerFailure, at now: Duration)
        -> [Action]
    {
        guard hasServer else { return [] }
        phase = .lost
        return [.wake(at: failure == .changed ? now : pacing.delayNextAttempt(now: now)), .holdAllReplies]
    }

    /// Marks the server as absent and removes its notifications from the state. Called after the replies are
    /// held.
    private mutating func markServerAbsent(at now: Duration) -> [Action] {
        guard phase == .lost else { return [] }
        phase = .absent(since: now)
        notifications.removeAll()
        owners.removeAll()
        endedNotifications.removeAll()
        expiredOwners.removeAll()
        return [.notifyClients]
    }
}

// MARK: - Notifications

extension NotificationState {
    private mutating func recordShown(
        forOwner owner: NotificationOwner, notification: ShownNotification, at now: Duration
    )
        -> [Action]
    {
        // Remove the ID from the expired notifications, because the ID now belongs to the new notification.
        if !expiredOwners.isEmpty { expiredOwners.removeAll { $0.id == notification.id } }
        if !endedNotifications.isEmpty {
            endedNotifications.removeAll { $0.notification.id == notification.id }
        }
        // If the ID belonged to another owner, that owner's notification is gone: a server that restarts
        // assigns the same IDs again.
        let previousOwner = owners[notification.id]
        let former = previousOwner.flatMap { $0 == owner ? nil : $0 }
        if let former { notifications[former] = nil }
        if previousOwner != owner {
            if let old = notifications[owner] { owners[old.id] = nil }
            owners[notification.id] = owner
        }
        notifications[owner] = notification
        if !owner.announcesReplies { pacing.recordShown([], now: now) }
        return former.map { [.erase($0)] } ?? []
    }

    /// Removes a closed or expired notification. The notification is removed before the caller deletes its
    /// database row, so that a database error does not prevent the removal.
    private mutating func handleEnd(of id: UInt32, hasExpired: Bool) -> [Action] {
        guard let owner = owners[id] else { return [] }
        if hasExpired, owner.announcesReplies {
            expiredOwners = expiredOwners.suffix(endedMemory - 1) + [(id, owner)]
        }
        return [.erase(owner)] + removeNotification(of: owner)
    }

    private mutating func removeNotification(of owner: NotificationOwner) -> [Action] {
        guard let notification = notifications.removeValue(forKey: owner) else { return [] }
        owners[notification.id] = nil
        endedNotifications =
            endedNotifications.suffix(endedMemory - 1) + [
                EndedNotification(owner: owner, notification: notification)
            ]
        return notifyClientsIfFinished()
    }

    /// Hides the text of the notifications on the screen when a private pause starts.
    private mutating func setTextHidden(_ isHidden: Bool) -> [Action] {
        guard isHidden, !areTextsHidden else {
            areTextsHidden = isHidden
            return []
        }
        // If no server is running, no notification is on the screen.
        let shown = !hasServer ? [] : notifications.sorted { $0.value.id < $1.value.id }
        let actions = shown.compactMap { owner, notification -> Action? in
            if owner.isFailure || owner.isReminder { return .close(owner, .privacy) }
            guard owner.announcesReplies else { return nil }
            // Close a notification of a previous run instead of updating it: if it has already disappeared,
            // an update would show it again.
            return notification.isFromThisRun ? .hideText(owner) : .close(owner, .privacy)
        }
        // The last action marks hiding as complete. If an earlier action fails, the next step hides the
        // remaining notifications.
        return actions + [.completed(.hiding)]
    }

    /// Notifies the waiting clients if no reply notification is on the screen or about to be shown.
    private mutating func notifyClientsIfFinished() -> [Action] {
        guard notifiesAtEnd, !announcesReplies else { return [] }
        notifiesAtEnd = false
        return [.notifyClients]
    }
}

// MARK: - Replies

extension NotificationState {
    private mutating func showNextReply(at now: Duration) -> [Action] {
        guard var rest = batch else { return [] }
        var actions: [Action] = []
        while !rest.news.isEmpty {
            guard hasServer else {
                batch = nil
                return actions + [.postpone(rest.news.map(\.owner), .noServer)]
            }
            let item = rest.news.removeFirst()
            guard canShowSeparateNotification(for: item.owner, maxPopups: rest.maxPopups) else {
                actions.append(.postpone([item.owner], .tooMany(rest.maxPopups)))
                rest.digest.append(item)
                continue
            }
            if let time = pacing.consumeDisplayToken(now: now) {
                actions.append(.wake(at: time))
                continue
            }
            (batch, current) = (rest, item)
            actions += closeQuestionsBeforeReply()
            actions.append(.show(item.owner))
            return actions
        }
        return actions + showSummary(of: rest, at: now)
    }

    /// Shows the summary after all other replies. If the summary is on the screen and was last shown less
    /// than a second ago, the replies are held until that second has passed.
    private mutating func showSummary(of replies: ReplyBatch, at now: Duration) -> [Action] {
        batch = nil
        guard hasServer else { return [] }
        var actions: [Action] = []
        if !replies.digest.isEmpty {
            let time = notifications[.summary] == nil ? nil : pacing.nextSummaryTime(now: now)
            guard let time else {
                current = ReplyBatch.Item(owner: .summary, messages: replies.digest.flatMap(\.messages))
                batch = ReplyBatch(news: [], maxPopups: replies.maxPopups, isPartial: replies.isPartial)
                return closeQuestionsBeforeReply() + [.summarize(replies.digest.map(\.owner))]
            }
            actions.append(.wake(at: time))
        }
        if replies.isPartial { actions.append(.wake(at: now + NotificationPacing.summaryInterval)) }
        return actions
    }

    private mutating func continueShowingReplies(after outcome: ReplyOutcome, at now: Duration) -> [Action] {
        let (item, messages) = (current, current?.messages ?? [])
        current = nil
        if outcome == .shown {
            pacing.recordShown(messages, now: now)
            if item?.owner == .summary { pacing.recordSummaryShown(now: now) }
        }
        guard outcome == .refused else { return showNextReply(at: now) }
        let rest = batch?.news.map(\.owner) ?? []
        batch = nil
        // Postpone the remaining replies, but keep the notifications that are on the screen.
        let (lost, nextTry) = pacing.recordRefusal(of: messages, now: now)
        return [.retry(except: lost)] + (rest.isEmpty ? [] : [.postpone(rest, .serverRefuses)])
            + [.wake(at: nextTry)]
    }

    private mutating func showNotice(of owner: NotificationOwner, at now: Duration) -> [Action] {
        guard hasServer else { return handle(.waiting, now: now) }
        return [pacing.consumeDisplayToken(now: now).map { .wake(at: $0) } ?? .show(owner)]
    }

    /// Closes questions from the daemon before a reply is shown, because some servers show only one
    /// notification at a time.
    private func closeQuestionsBeforeReply() -> [Action] {
        guard notifications.contains(where: \.value.yieldsToReplies) else { return [] }
        let modest = notifications.filter(\.value.yieldsToReplies).sorted { $0.value.id < $1.value.id }
        return modest.map { .close($0.key, .roomNeeded) }
    }
}
