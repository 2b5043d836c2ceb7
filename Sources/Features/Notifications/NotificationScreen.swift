import CutieAPI
package import EventLog
package import Logging
package import NotificationPolicy
package import Platform
package import Store

/// Shows, tracks and closes all notifications. No other type calls the notification server or stores
/// notification IDs. `NotificationState` decides which actions follow; this class performs them.
package final class NotificationScreen {
    package typealias State = NotificationState

    /// The result of showing a notification.
    package enum Outcome {
        case shown
        /// The server is present but refused this notification. The value is the server's reason.
        case refused(String)
        /// The call failed with this error; `nil` if there is no server.
        case failed(NotifierError?)
    }

    let notificationController: NotificationController
    /// The last logged reason why the server cannot be used; `nil` if the server can be used or no server is
    /// running.
    package private(set) var serverProblem: String?
    private let notifier: any NotificationBackend
    private let stored: StoredNotifications
    let runtime: RuntimeEnvironment
    private let logger: Logger
    package private(set) var state: State
    /// Notified when a notification other than a reply may have been closed, or when the last reply was
    /// closed.
    package let changes = ChangeSignal()
    /// Notified after a server was lost and the replies on the screen were held.
    let disconnections = ChangeSignal()
    /// Notified when `mayHaveServer` changes.
    let adoptions = ChangeSignal()
    /// Called when a new server is found, before anything is shown on it. A new server means that a session
    /// has begun, which may have another language.
    private let onAdoption: () async -> Void
    /// The uptime at which replies and failures are examined even without an event; `nil` for never.
    package private(set) var wakeAt: Duration?

    package init(
        store: MessageStore, notificationController: NotificationController,
        notifier: any NotificationBackend,
        session: SessionIdentity,
        pacing: NotificationPacing? = nil, onAdoption: @escaping () async -> Void = {},
        runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.notificationController, self.notifier, self.onAdoption) = (
            notificationController, notifier, onAdoption
        )
        (self.runtime, self.logger) = (runtime, logger)
        stored = StoredNotifications(store: store, session: session, runtime: runtime)
        state = State(pacing: pacing ?? NotificationPacing(now: runtime.uptime))
    }

    /// The session's notification server; `nil` if no server was found, or if the server was lost.
    package var server: NotificationServer? { state.server }

    /// Whether a notification server is known. This property and the following functions read a stored
    /// property of the state, because calling a function in another module would copy the whole state.
    var hasServer: Bool { if case .present = state.phase { true } else { false } }

    /// Returns whether `owner` has a notification on the screen.
    package func hasNotification(for owner: NotificationOwner) -> Bool { notification(for: owner) != nil }

    /// Returns the notification of `owner`; `nil` if there is none.
    func notification(for owner: NotificationOwner) -> ShownNotification? { state.notifications[owner] }

    /// Returns whether this process has shown the notification of `owner`.
    func wasShownByThisProcess(_ owner: NotificationOwner) -> Bool {
        notification(for: owner)?.isFromThisRun ?? false
    }

    /// Returns the current or recent notification with this ID, and its owner; `nil` if the ID is not from
    /// this daemon or was reused.
    package func notification(withID id: UInt32) -> (
        owner: NotificationOwner, notification: ShownNotification
    )? {
        state.notification(withID: id)
    }

    /// Schedules a wake-up of the queue at `time` or earlier.
    func scheduleWake(at time: Duration) { wakeAt = min(wakeAt ?? time, time) }

    /// Schedules a wake-up at `time`, because held messages may then be released. If `time` is `nil`, no
    /// timer is
    /// needed: the signal that releases the messages wakes the queue.
    func scheduleWake(at time: Timestamp?, now: Timestamp) {
        guard let time else { return }
        scheduleWake(at: runtime.uptime + max(.zero, time - now))
    }

    /// Schedules a wake-up to query again whether the screen is locked.
    func scheduleLockCheck() { scheduleWake(at: runtime.uptime + NotificationController.lockInterval) }

    /// Returns whether the scheduled wake-up is due, and clears it.
    func consumeDueWake() -> Bool {
        guard let time = wakeAt, time <= runtime.uptime else { return false }
        wakeAt = nil
        return true
    }

    /// Returns the actions that follow from an input.
    func handle(_ input: State.Input) -> [State.Action] { state.handle(input, now: runtime.uptime) }

    /// Requests that `changes` be notified as soon as no reply is on the screen or about to be shown.
    func requestSignalWhenEmpty() { state.record(.notifyAtEnd) }

    /// Replaces the state with the copy that a committed transaction changed.
    func commit(_ newState: State) { state = newState }
}

// MARK: - Showing

extension NotificationScreen {
    /// Shows a notification, and replaces the current notification of the same owner.
    ///
    /// - Parameters:
    ///   - details: the messages that the notification covers.
    ///   - onAccepted: called when the notification is on the screen.
    ///   - record: called in the transaction that stores the notification.
    /// - Throws: errors of the store, although the notification is on the screen. The next attempt replaces
    ///   the notification.
    package func show(
        _ notification: DesktopNotification, for owner: NotificationOwner,
        details: ShownNotification = ShownNotification(id: 0),
        onAccepted: () -> Void = {}, record: (Transaction, UInt32) throws -> Void = { _, _ in }
    ) async throws -> Outcome {
        guard let server = state.server else { return .failed(nil) }
        let id: UInt32
        let replaced = self.notification(for: owner)?.id
        do { id = try await notifier.show(notification, replacing: replaced) } catch NotifierError.cancelled {
            // The daemon is exiting, so record nothing: the next run shows the announced messages again, in
            // the same place.
            throw CancellationError()
        } catch NotifierError.refused(let reason) {
            return .refused(reason)
        } catch {
            try await handleServerDisconnect(because: error)
            return .failed(error)
        }
        var shown = details
        (shown.id, shown.isFromThisRun) = (id, true)
        shown.actions = notification.actions.compactMap { NotificationAction(rawValue: $0.id) }
        // Change the state first: if the store fails, the next attempt replaces this notification and counts
        // its messages.
        let actions = handle(.shown(owner, shown))
        onAccepted()
        let former = actions.compactMap { if case .erase(let former) = $0 { former } else { nil } }
        do {
            try stored.save(shown, of: owner, on: server, replacing: former) { try record($0, id) }
        } catch {
            state.record(.uncounted(owner))
            throw error
        }
        return .shown
    }

    /// Shows a notice. Does not retry, and does not report when the notice is closed. Returns `false` if the
    /// notice was not shown.
    @discardableResult
    package func showNotice(_ notice: DesktopNotification) async -> Bool {
        do {
            _ = try await notifier.show(notice, replacing: nil)
            return true
        } catch {
            logger.notice("a notice was not shown", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Closes a notification and erases its row. If the store fails, the notification stays recorded, so that
    /// a later call can close it.
    package func closeNotification(of owner: NotificationOwner, because cause: CloseCause) async throws {
        guard let notification = state[owner] else { return }
        do { try stored.eraseNotification(of: owner, reason: cause.logText) } catch {
            // Ignore the error, because the reply has priority. The next run closes this notification again.
            if cause != .roomNeeded { throw error }
        }
        try await perform(handle(.removed(owner)))
        try await callServer { notifier in try await notifier.close(notification.id) }
    }

    /// Closes all notifications without accessing the store, because its database is lost. The next run does
    /// not know these notifications, and shows unread messages again.
    package func closeAllAfterDatabaseLoss() async {
        for notification in state.notifications.values { try? await notifier.close(notification.id) }
    }

    /// Returns whether a notification of `owner` is stored, by this or a previous run.
    func hasStoredNotification(of owner: NotificationOwner) throws -> Bool { try stored.contains(owner) }

    /// Closes a notification of a previous run, or erases its row if it is no longer on the screen.
    func closeEarlierNotification(of owner: NotificationOwner) async throws {
        if hasNotification(for: owner) { return try await closeNotification(of: owner, because: .finished) }
        try stored.eraseNotification(of: owner, reason: CloseCause.finished.logText)
    }

    /// Handles a notification that the user or the server closed. Returns its owner; `nil` if the ID is not
    /// from this daemon or was reused.
    package func handleClosedNotification(_ id: UInt32, reason: CloseReason) throws -> NotificationOwner? {
        let actions = handle(.ended(id, hasExpired: reason == .expired))
        if actions.contains(.notifyClients) { changes.notify() }
        let owner = actions.lazy.compactMap { if case .erase(let owner) = $0 { owner } else { nil } }.first
        if let owner { try stored.eraseNotification(of: owner, reason: reason.logText) }
        // Do not record the end of the notification while the instance of the server is unknown. The instance
        // may be unknown until the server has sent its first signal.
        if let ended = state.endedNotification(withID: id), let instance = notifier.serverInstance {
            try stored.recordClosing(of: ended, session: instance)
        }
        return owner
    }
}

// MARK: - The server

extension NotificationScreen {
    /// Queries the server if none is known.
    package func queryServerIfUnknown() async {
        if !hasServer { await queryServer() }
    }

    /// Queries the server if no server is known, or if the known server no longer runs.
    package func verifyServer() async {
        if let server = state.server {
            if await notifier.isStillRunning(server) { return }
            do { try await handleServerDisconnect(because: .noServer("\(server.name) has ended")) } catch {
                logger.error(
                    "the list of shown notifications could not be stored", metadata: ["error": "\(error)"])
            }
        }
        await queryServer()
    }

    /// Queries the notification server and returns it; `nil` if no usable server runs. Adopts a server that
    /// is new.
    @discardableResult
    package func queryServer() async -> NotificationServer? {
        let mightHaveServer = mayHaveServer
        let found = usableServer(await notifier.fetchServer())
        if found != nil, found != state.server { await onAdoption() }
        if let former = state.server, let found, former != found {
            logger.notice(
                "the notification server has stopped",
                metadata: ["reason": "\(NotifierError.serverChanged(found.name))"])
        }
        do { try await perform(handle(.server(found))) } catch {
            // The notifications of the previous server could not be held, so the new server is not adopted
            // yet.
            logger.error(
                "the list of shown notifications could not be stored", metadata: ["error": "\(error)"])
        }
        if mayHaveServer != mightHaveServer { adoptions.notify() }
        return state.server
    }

    /// Returns the server if it can show notifications; otherwise logs the reason once and returns `nil`.
    private func usableServer(_ server: NotificationServer?) -> NotificationServer? {
        if let server, !server.isUsable {
            setProblem(
                server.problem ?? "",
                logMessage: "the notification server does not report its capabilities and cannot be used")
            return nil
        }
        if server == nil, let failure = notifier.startFailure {
            setProblem(
                "it exits when it is started (\(failure))",
                logMessage: "the notification server cannot be used")
        } else {
            serverProblem = nil
        }
        return server
    }

    /// Stores the reason why the server cannot be used, and logs a new reason.
    private func setProblem(_ problem: String, logMessage: Logger.Message) {
        if problem != serverProblem { logger.warning(logMessage, metadata: ["reason": "\(problem)"]) }
        serverProblem = problem
    }

    /// Performs actions. Actions that show replies are ignored here, because only `ReplyQueue` has the
    /// replies.
    func perform(_ actions: [State.Action]) async throws {
        for action in actions { try await perform(action) }
    }

    func perform(_ action: State.Action) async throws {
        switch action {
        case .adopt(let server): try await adopt(server)
        case .holdAllReplies: try await holdAllReplies()
        case .close(let owner, let cause): try await closeNotification(of: owner, because: cause)
        case .closeExpired(let id):
            state.record(.unlisted(id))
            try await callServer { notifier in try await notifier.removeFromHistory(id) }
        case .completed(let task): state.record(.completed(task))
        case .wake(let time): scheduleWake(at: time)
        case .checkHeldMessages: notificationController.requestReevaluation()
        case .notifyClients: changes.notify()
        case .show, .summarize, .hideText, .postpone, .retry, .erase: break
        }
    }

    /// Handles a failed or lost server.
    private func handleServerDisconnect(because error: NotifierError) async throws {
        logger.notice("the notification server has stopped", metadata: ["reason": "\(error)"])
        if case .serverChanged = error { return try await perform(handle(.failed(.changed))) }
        try await perform(handle(.failed(.unavailable)))
    }

    /// Calls the server. If the call fails, all notifications on the screen are considered lost.
    private func callServer(_ body: (any NotificationBackend) async throws -> Void) async throws {
        guard hasServer else { return }
        do { try await body(notifier) } catch NotifierError.cancelled {
            throw CancellationError()
        } catch let error as NotifierError {
            try await handleServerDisconnect(because: error)
        }
    }

    /// Holds all replies and deletes the stored notifications in one transaction. A remaining row would
    /// count as a shown notification when the next server is adopted.
    private func holdAllReplies() async throws {
        await notifier.discardAllIDs()
        // Return if another task has held all replies while this task waited.
        guard state.phase == .lost else { return }
        try stored.holdReplies(
            of: Array(state.notifications.keys), summaryConversationCount: state[.summary]?.members ?? 0)
        try await perform(handle(.repliesHeld))
        disconnections.notify()
    }

    private func adopt(_ server: NotificationServer) async throws {
        let former = adoptStoredNotifications(of: server)
        await notifier.adoptNotifications(
            withOpenIDs: Set(former.notifications.values.map(\.id)),
            serverInstancesByClosedID: former.instances)
        let actions = handle(.adopted(server, former.notifications, ended: former.ended))
        // Log only if this task adopted the server. Concurrent queries find the same server.
        if !actions.isEmpty, let problem = server.problem {
            logger.warning(
                "the notification server does not report its capabilities; notifications are sent without buttons or formatting",
                metadata: ["server": "\(server.name)", "reason": "\(problem)"])
        }
        try await perform(actions)
    }

    /// Adopts the stored notifications of this server's session; none if the list cannot be read.
    private func adoptStoredNotifications(of server: NotificationServer)
        -> StoredNotifications.PreviousNotifications
    {
        do { return try stored.adoptNotifications(of: server) } catch {
            logger.error(
                "the list of shown notifications could not be read", metadata: ["error": "\(error)"])
            return StoredNotifications.PreviousNotifications()
        }
    }
}

extension CloseCause {
    /// The detail for the ledger.
    fileprivate var logText: String {
        switch self {
        case .read: "read"
        case .privacy: "hidden by a private pause"
        case .roomNeeded, .finished: "removed"
        }
    }
}

extension CloseReason {
    /// The detail for the ledger.
    fileprivate var logText: String {
        switch self {
        case .expired: "expired"
        case .dismissed: "dismissed"
        case .byCall: "removed"
        case .undefined: "gone"
        }
    }
}
