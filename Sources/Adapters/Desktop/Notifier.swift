import CNotify
public import NotificationPolicy
import Runtime

/// A client of the session's notification server, based on libnotify. A call may block the GLib thread for up
/// to 25 s (the D-Bus timeout), but never blocks other tasks. After any error except `refused` and
/// `cancelled`, all IDs are invalid, and the caller must call `discardAllIDs`.
public actor Notifier: NotificationBackend {
    /// Clicks, replies and closed notifications. If the consumer is too slow, the oldest events are dropped.
    public nonisolated let events: AsyncStream<NotificationEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        GLibThread.shared.asUnownedSerialExecutor()
    }

    let applicationName: String
    private var notifications = NotificationHandleTable()
    private let sink: AsyncStream<NotificationEvent>.Continuation
    /// The cached description of the server, with the time of the query and the value of
    /// `cnotify_server_changes` at that time.
    private var description: (server: NotificationServer, changes: UInt32, time: ContinuousClock.Instant)?
    /// The lifetime of the cached description while the server has not sent a signal.
    private let descriptionLifetime: Duration
    private var lastReplacedID: UInt32?
    /// The value of `cnotify_server_changes` at the last call of `discardDataIfServerChanged`.
    private var serverChanges: UInt32 = 0
    /// The listener for signals of the notification server; `nil` until a server has responded.
    private var signals: SignalListener?
    private nonisolated let instance = Locked<String?>(nil)
    private nonisolated let starts = Locked(ServerStartLimiter())

    /// Whether libnotify is installed. Without libnotify, notifications cannot be shown.
    public static var isInstalled: Bool { cnotify_is_installed() }

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - applicationName: the application name for the server. libnotify has one name per process, so the
    ///     name of the first notifier applies to all notifiers.
    ///   - descriptionLifetime: the lifetime of the cached server description while the server has not sent a
    ///     signal.
    // Prevent inlining into other modules, because the isolated deinit makes the Swift 6.3 compiler fail
    // there ("circular reference").
    @_semantics("optimize.no.crossmodule")
    public init(applicationName: String, descriptionLifetime: Duration = .seconds(3600)) {
        (self.applicationName, self.descriptionLifetime) = (applicationName, descriptionLifetime)
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    isolated deinit {
        notifications.removeAll()
        signals = nil
        sink.finish()
    }

    private func showDetectingDisconnect(_ notification: DesktopNotification, replacing id: UInt32?)
        throws(NotifierError)
        -> UInt32
    {
        do {
            let id = notifications.isEnded(id) ? nil : id
            let server = try fetchServerUsingCache(forNotification: id)
            let shown = try show(notification, replacing: id, on: server)
            // Query the server again before the next call: a different ID may mean that the server was
            // restarted.
            if let id, id != shown { description = nil }
            return shown
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    private func queryServerDetectingDisconnect() throws(NotifierError) -> NotificationServer {
        do {
            return try queryServer()
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    private func queryServer() throws(NotifierError) -> NotificationServer {
        if let error = starts.withLock({ $0.blockingError(at: .now) }) { throw error }
        let server: NotificationServer
        do {
            server = try NotificationServer.fetch(forApplication: applicationName)
        } catch {
            starts.withLock { $0.recordQueryResult(error: error, at: .now) }
            throw error
        }
        starts.withLock { $0.recordQueryResult(error: nil, at: .now) }
        if signals == nil { signals = SignalListener(for: self) }
        description = (server, cnotify_server_changes(), .now)
        return server
    }

    func closeNotification(_ id: UInt32) throws(NotifierError) {
        defer { sink.yield(.closed(id: id, reason: .byCall)) }
        do {
            // Check first that the server is the same: on another server, the ID may belong to a notification
            // of another program.
            _ = try fetchServerUsingCache(forNotification: id)
            if let known = notifications.remove(id) {
                try known.close()
            } else if id <= Int32.max {  // libnotify cannot adopt larger IDs
                try NotificationHandle(closing: id).close()
            }
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    /// Removes an expired notification from the history of the server, without an event. Does nothing if the
    /// server exited, because the ID may then belong to a notification of another program.
    private func removeNotificationFromHistory(_ id: UInt32) throws(NotifierError) {
        discardDataIfServerChanged()
        guard notifications.removeExpiredNotification(id), id <= Int32.max else { return }
        do {
            _ = try fetchServerUsingCache(forNotification: id)
            try NotificationHandle(closing: id).close()
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    /// The instance of the server that sent the last signal; `nil` before the first signal. The instance
    /// changes when the server restarts and reuses IDs; the name of the server does not change.
    public nonisolated var serverInstance: String? { instance.withLock { $0 } }

    public nonisolated var startFailure: String? { starts.withLock { $0.cause } }

    private func discardDataIfServerChanged() {
        let changes = cnotify_server_changes()
        if changes != serverChanges { notifications.discardDataOfPreviousServer() }
        serverChanges = changes
    }

    /// Discards the IDs of a previous server and updates `serverInstance`. Must be called before a signal is
    /// handled.
    private func refreshServerInstance() {
        discardDataIfServerChanged()
        let text = cnotify_server_instance()
        defer { cnotify_free_instance(text) }
        let current = text.map { String(cString: $0) }
        instance.withLock { $0 = current }
    }

    private func resetState() {
        notifications.removeAll()
        description = nil
    }

    /// Reports a click on an open or closed notification.
    func handleAction(ofNotification id: UInt32, named name: String, activationToken token: String?) {
        refreshServerInstance()
        guard
            let action = notifications.actionID(
                named: name, ofNotification: id, serverInstance: serverInstance)
        else { return }
        sink.yield(.action(id: id, name: action, activationToken: token))
    }

    /// Reports a reply to an open or closed notification.
    func handleReply(toNotification id: UInt32, text: String) {
        refreshServerInstance()
        guard notifications.contains(id) else { return }
        sink.yield(.reply(id: id, text: text))
    }

    func handleClose(ofNotification id: UInt32, reason: CloseReason) {
        refreshServerInstance()
        guard
            notifications.remove(id) != nil
                || notifications.markAdoptedNotificationAsClosed(id, serverInstance: serverInstance),
            id != lastReplacedID
        else { return }
        if reason == .expired { notifications.addExpiredNotification(id) }
        sink.yield(.closed(id: id, reason: reason))
    }

    private func show(
        _ notification: DesktopNotification, replacing id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        if let id, id > Int32.max { try closeNotification(id) }
        let shown = try send(notification, replacing: id, on: server)
        guard shown == id else { return shown }
        // Avoid a race: the `NotificationClosed` signal of the previous notification may have been in flight
        // when the new notification received the same ID. The signal would then close the new notification in
        // the table, and clicks on it would be ignored. So dispatch pending signals, and show the
        // notification again if the table no longer contains it.
        lastReplacedID = id
        defer { lastReplacedID = nil }
        GLibThread.shared.dispatchPendingEvents()
        return notifications[shown] != nil ? shown : try send(notification, replacing: id, on: server)
    }

    private func send(
        _ notification: DesktopNotification, replacing id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        let replaced = server.replacesByTag && !notification.stackTag.isEmpty ? nil : id
        let handle = makeHandle(for: notification, replacing: replaced, on: server)
        let shown = try handle.show()
        if let id, notifications[id] === handle, shown == id { return shown }
        if let id { notifications.remove(id) }
        notifications.add(handle, withID: shown)
        return shown
    }

    private func makeHandle(
        for notification: DesktopNotification, replacing id: UInt32?, on server: NotificationServer
    ) -> NotificationHandle {
        let known = id.flatMap { notifications[$0] }
        let content = NotificationContent(
            for: notification, application: applicationName, capabilities: server.capabilities,
            keepsReplyButton: server.mayHideReplyField, reusing: known?.content)
        guard let known else { return NotificationHandle(content, replacing: id) }
        known.update(with: content)
        return known
    }

    private func fetchServerUsingCache(forNotification id: UInt32?) throws(NotifierError)
        -> NotificationServer
    {
        // Until the server has sent its first signal, the only ways to notice that the server was replaced are
        // an unexpected ID and a query. A query before each notification would double the latency of replies
        // that arrive minutes apart, so query rarely.
        let isAtRisk = id != nil || !notifications.isEmpty
        if let description, !hasServerChanged(),
            cnotify_knows_owner() || !isAtRisk || description.time.duration(to: .now) < descriptionLifetime
        {
            return description.server
        }
        let previous = description?.server
        let server = try queryServer()
        if let previous, previous != server, isAtRisk {
            throw .serverChanged(server.name)
        }
        return server
    }

    /// Returns whether a server appeared on the bus or left it since the last query.
    func hasServerChanged() -> Bool { description?.changes != cnotify_server_changes() }

    private func handleDisconnect(after error: NotifierError) {
        description = nil
        switch error {
        case .noBus, .noServer, .serverExited, .serverChanged:
            // Make libnotify drop the closed connection and the cached data of the previous server.
            notifications.removeAll()
            cnotify_reset()
        case .noLibrary, .refused, .timedOut, .cancelled: break
        }
    }
}

/// The functions of the notifier that any task can call. If the task is cancelled, a function returns
/// immediately while the libnotify call continues, so that an unresponsive server does not delay the exit of
/// the daemon.
extension Notifier {
    /// Returns the server and its capabilities; `nil` if no server responds.
    public nonisolated func fetchServer() async -> NotificationServer? {
        try? await performOnGLibThread { notifier throws(NotifierError) in
            try notifier.queryServerDetectingDisconnect()
        }
    }

    /// Returns whether `server` is still the notification server. Also returns `true` after a timeout,
    /// because a slow server still shows its notifications.
    public nonisolated func isStillRunning(_ server: NotificationServer) async -> Bool {
        do {
            return try await performOnGLibThread { notifier throws(NotifierError) in
                try notifier.queryServerDetectingDisconnect()
            }
                == server
        } catch {
            switch error {
            case .noLibrary, .noBus, .noServer, .serverExited, .serverChanged: return false
            case .refused, .timedOut, .cancelled: return true
            }
        }
    }

    /// Shows `notification` and returns its ID. Replaces the notification `id` if it still exists.
    ///
    /// A call in flight cannot be cancelled. If the task is cancelled, waits up to two seconds for the ID, because
    /// without the ID, the next run of the daemon would show the notification again.
    public nonisolated func show(
        _ notification: DesktopNotification, replacing id: UInt32? = nil
    ) async throws(NotifierError) -> UInt32 {
        try await performOnGLibThread(cancellationDelay: .seconds(2)) {
            notifier throws(NotifierError) in
            try notifier.showDetectingDisconnect(notification, replacing: id)
        }
    }

    /// Closes a notification that this run or a previous run of the daemon showed.
    public nonisolated func close(_ id: UInt32) async throws(NotifierError) {
        try await performOnGLibThread { notifier throws(NotifierError) in try notifier.closeNotification(id) }
    }

    /// Removes an expired notification from the history of the server, if the server has one. Does nothing if
    /// the server that showed the notification exited, because a new server reuses IDs.
    public nonisolated func removeFromHistory(_ id: UInt32) async throws(NotifierError) {
        try await performOnGLibThread { notifier throws(NotifierError) in
            try notifier.removeNotificationFromHistory(id)
        }
    }

    /// Adopts notifications of a previous run, so that clicks on them are reported.
    ///
    /// - Parameter endedInstances: the `serverInstance` that showed each closed notification. A click on
    ///   a closed notification is reported only if the same server instance sends it.
    public nonisolated func adoptNotifications(
        withOpenIDs ids: Set<UInt32>, serverInstancesByClosedID: [UInt32: String] = [:]
    ) async {
        try? await performOnGLibThread { notifier throws(NotifierError) in
            notifier.notifications.adoptNotifications(
                withOpenIDs: ids, serverInstancesByClosedID: serverInstancesByClosedID)
        }
    }

    /// Discards all IDs. Called after the server was replaced or restarted.
    public nonisolated func discardAllIDs() async {
        try? await performOnGLibThread { notifier throws(NotifierError) in notifier.resetState() }
    }

    private nonisolated func performOnGLibThread<Value: Sendable>(
        cancellationDelay: Duration = .zero,
        _ operation: @escaping @Sendable (isolated Notifier) throws(NotifierError) -> Value
    ) async throws(NotifierError) -> Value {
        let answer = CallResult<Value>()
        let result = await withCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.setContinuation(continuation)
                GLibThread.shared.perform {
                    answer.fulfill(
                        self.assumeIsolated { notifier in Result.capturing(operation, on: notifier) })
                }
            }
        } onCancel: {
            guard cancellationDelay > .zero else { return answer.fulfill(.failure(.cancelled)) }
            EventLoop.shared.perform(after: cancellationDelay) { answer.fulfill(.failure(.cancelled)) }
        }
        return try result.get()
    }
}

extension Result where Success: Sendable, Failure == NotifierError {
    fileprivate static func capturing(
        _ operation: (isolated Notifier) throws(NotifierError) -> Success, on notifier: isolated Notifier
    ) -> Self {
        do { return .success(try operation(notifier)) } catch { return .failure(error) }
    }
}

/// The result of a call on the GLib thread, for one waiting task. Only the first result is used: the result
/// of the call, or the cancellation of the task.
private final class CallResult<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Result<Value, NotifierError>, Never>)
        case fulfilled(Result<Value, NotifierError>)
        case consumed
    }

    private let state = Locked(State.empty)

    func setContinuation(_ continuation: CheckedContinuation<Result<Value, NotifierError>, Never>) {
        let early: Result<Value, NotifierError>? = state.withLock {
            guard case .fulfilled(let result) = $0 else {
                $0 = .awaited(continuation)
                return nil
            }
            $0 = .consumed
            return result
        }
        if let early { continuation.resume(returning: early) }
    }

    func fulfill(_ result: Result<Value, NotifierError>) {
        let waiting: CheckedContinuation<Result<Value, NotifierError>, Never>? = state.withLock {
            switch $0 {
            case .empty: $0 = .fulfilled(result)
            case .awaited(let continuation):
                $0 = .consumed
                return continuation
            case .fulfilled, .consumed: break
            }
            return nil
        }
        waiting?.resume(returning: result)
    }
}
