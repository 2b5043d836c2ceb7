import CNotify
public import NotificationPolicy
import Runtime

/// The session's notification server, called through libnotify on a separate thread. A call may block that
/// thread for 25 s, but no other task. After any error except `cancelled`, the caller must treat all previous
/// IDs as invalid and call `discardAll`.
public actor Notifier: NotificationBackend {
    /// Clicks on notifications, replies, and ends of notifications. If the events are not read, the oldest
    /// events are dropped.
    public nonisolated let events: AsyncStream<NotificationEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        GLibThread.shared.asUnownedSerialExecutor()
    }

    let applicationName: String
    private var notifications = NotificationHandleTable()
    private let sink: AsyncStream<NotificationEvent>.Continuation
    /// The server's description, with the time of the query and the value of `cnotify_server_changes` at that
    /// time.
    private var description: (server: NotificationServer, changes: UInt32, time: ContinuousClock.Instant)?
    /// The time for which a description is used before the server's first signal.
    private let descriptionLifetime: Duration
    private var lastReplacedID: UInt32?
    /// The value of `cnotify_server_changes` when the IDs of the previous server were last removed.
    private var serverChanges: UInt32 = 0
    /// The listener; `nil` until a server responded.
    private var signals: SignalListener?
    private nonisolated let instance = Locked<String?>(nil)

    /// Whether libnotify is installed. Without libnotify, notifications cannot be shown.
    public static var isInstalled: Bool { cnotify_is_installed() }

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - applicationName: the name that the server receives. All notifiers of a process send the name of
    ///     the first notifier, because libnotify stores one name per process.
    ///   - descriptionLifetime: the time after which the server's description is queried again before a
    ///     notification is replaced, if the server has not sent a signal yet.
    // Not inlined in other modules, because the Swift 6.3 compiler fails there at the isolated deinit
    // ("circular reference").
    @_semantics("optimize.no.crossmodule")
    public init(applicationName: String, descriptionLifetime: Duration = .seconds(10)) {
        (self.applicationName, self.descriptionLifetime) = (applicationName, descriptionLifetime)
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    isolated deinit {
        notifications.removeAll()
        signals = nil
        sink.finish()
    }

    private func present(_ notification: DesktopNotification, replacing id: UInt32?) throws(NotifierError)
        -> UInt32
    {
        do {
            let id = notifications.isEnded(id) ? nil : id
            let server = try fetchRecentServer(replacing: id)
            let shown = try showReplacing(notification, inPlaceOf: id, on: server)
            // A server that returns another ID may have been restarted.
            if let id, id != shown { description = nil }
            return shown
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    private func fetchServerForApplication() throws(NotifierError) -> NotificationServer {
        do {
            return try queryServer()
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    private func queryServer() throws(NotifierError) -> NotificationServer {
        let server = try NotificationServer.fetch(fromApplication: applicationName)
        if signals == nil { signals = SignalListener(for: self) }
        description = (server, cnotify_server_changes(), .now)
        return server
    }

    func closeNotification(_ id: UInt32) throws(NotifierError) {
        defer { sink.yield(.closed(id: id, reason: .byCall)) }
        do {
            // Check the server first: on another server, the ID may belong to another program's notification.
            _ = try fetchRecentServer(replacing: id)
            if let known = notifications.remove(id) {
                try known.close()
            } else if id <= Int32.max {  // libnotify accepts larger IDs only from its own calls
                try NotificationHandle(known: id).close()
            }
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    /// Closes an expired notification, whose end was already reported. Does nothing if its server exited,
    /// because the ID may then belong to another program's notification.
    private func closeExpiredNotification(_ id: UInt32) throws(NotifierError) {
        discardPreviousServer()
        guard notifications.removeExpired(id), id <= Int32.max else { return }
        do {
            _ = try fetchRecentServer(replacing: id)
            try NotificationHandle(known: id).close()
        } catch {
            handleDisconnect(after: error)
            throw error
        }
    }

    /// The instance of the server that sent the last signal; `nil` before the first signal. Unlike the
    /// server's name, the instance changes when the server restarts and reuses IDs.
    public nonisolated var serverInstance: String? { instance.withLock { $0 } }

    private func discardPreviousServer() {
        let changes = cnotify_server_changes()
        if changes != serverChanges { notifications.discardPreviousServer() }
        serverChanges = changes
    }

    /// Discards the state of a previous server, and determines the instance of the current server. Must be
    /// called before a signal is handled.
    private func refreshServerInstance() {
        discardPreviousServer()
        let text = cnotify_server_instance()
        defer { cnotify_free_instance(text) }
        let current = text.map { String(cString: $0) }
        instance.withLock { $0 = current }
    }

    private func resetState() {
        notifications.removeAll()
        description = nil
    }

    /// Reports a click, possibly after the notification ended.
    func handleAction(ofNotification id: UInt32, named name: String, activationToken token: String?) {
        refreshServerInstance()
        guard
            let action = notifications.actionID(
                named: name, ofNotification: id, serverInstance: serverInstance)
        else { return }
        sink.yield(.action(id: id, name: action, activationToken: token))
    }

    /// Reports a reply, possibly after the notification ended.
    func handleReply(toNotification id: UInt32, text: String) {
        refreshServerInstance()
        guard notifications.contains(id) else { return }
        sink.yield(.reply(id: id, text: text))
    }

    func handleClosed(notification id: UInt32, reason: CloseReason) {
        refreshServerInstance()
        guard notifications.remove(id) != nil || notifications.removeAdopted(id, on: serverInstance),
            id != lastReplacedID
        else { return }
        if reason == .expired { notifications.addExpired(id) }
        sink.yield(.closed(id: id, reason: reason))
    }

    private func showReplacing(
        _ notification: DesktopNotification, inPlaceOf id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        if let id, id > Int32.max { try closeNotification(id) }
        let shown = try send(notification, inPlaceOf: id, on: server)
        guard shown == id else { return shown }
        // The end of the previous notification may have been in flight when the new notification received the
        // same ID. The end would then be attributed to the new notification, whose clicks would be ignored.
        // So process pending signals, and show the notification again if it ended.
        lastReplacedID = id
        defer { lastReplacedID = nil }
        GLibThread.shared.dispatchPendingEvents()
        return notifications[shown] != nil ? shown : try send(notification, inPlaceOf: id, on: server)
    }

    private func send(
        _ notification: DesktopNotification, inPlaceOf id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        let replaced = server.replacesByTag && !notification.stackTag.isEmpty ? nil : id
        let handle = makeHandle(for: notification, inPlaceOf: replaced, on: server)
        let shown = try handle.show()
        if let id, notifications[id] === handle, shown == id { return shown }
        if let id { notifications.remove(id) }
        notifications.add(handle, as: shown)
        return shown
    }

    private func makeHandle(
        for notification: DesktopNotification, inPlaceOf id: UInt32?, on server: NotificationServer
    ) -> NotificationHandle {
        let content = NotificationContent(of: notification, by: applicationName, on: server.capabilities)
        guard let id, let known = notifications[id] else {
            return NotificationHandle(content, replacing: id)
        }
        known.update(with: content)
        return known
    }

    private func fetchRecentServer(replacing id: UInt32?) throws(NotifierError) -> NotificationServer {
        // Before the server's first signal, only its description shows that another server has replaced it. A
        // query for each notification would double the time until the user sees the notification.
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

    /// Returns whether a server appeared or disappeared since the last query.
    func hasServerChanged() -> Bool { description?.changes != cnotify_server_changes() }

    private func handleDisconnect(after error: NotifierError) {
        description = nil
        switch error {
        case .noBus, .noServer, .serverChanged:
            // Otherwise libnotify would retain the closed connection and the state of the previous server.
            notifications.removeAll()
            cnotify_reset()
        case .noLibrary, .refused, .timedOut, .cancelled: break
        }
    }
}

/// The interface for other tasks. A cancelled task returns immediately, while libnotify's call continues, so
/// that a hanging server does not delay the exit of the daemon.
extension Notifier {
    /// Returns the server and its capabilities; `nil` if no server responds.
    public nonisolated func fetchServer() async -> NotificationServer? {
        try? await perform { notifier throws(NotifierError) in try notifier.fetchServerForApplication() }
    }

    /// Returns whether this server still shows notifications; `true` if the server does not respond in time,
    /// because a slow server still has its notifications.
    public nonisolated func isPresent(_ server: NotificationServer) async -> Bool {
        do {
            return try await perform { notifier throws(NotifierError) in
                try notifier.fetchServerForApplication()
            }
                == server
        } catch {
            switch error {
            case .noLibrary, .noBus, .noServer, .serverChanged: return false
            case .refused, .timedOut, .cancelled: return true
            }
        }
    }

    /// Shows `notification` and returns its ID. Replaces the notification `id` if it still exists.
    ///
    /// A call in flight cannot be cancelled. If the task is cancelled, the method waits up to 500 ms for the
    /// ID, because without the ID, the next run would show the notification again.
    public nonisolated func show(
        _ notification: DesktopNotification, replacing id: UInt32? = nil
    ) async throws(NotifierError) -> UInt32 {
        try await perform(grace: .milliseconds(500)) { notifier throws(NotifierError) in
            try notifier.present(notification, replacing: id)
        }
    }

    /// Closes a notification of this or a previous run.
    public nonisolated func close(_ id: UInt32) async throws(NotifierError) {
        try await perform { notifier throws(NotifierError) in try notifier.closeNotification(id) }
    }

    /// Removes an expired notification from the server's history, if the server has a history. Does nothing
    /// if the server that showed the notification exited, because a new server reuses IDs.
    public nonisolated func closeExpired(_ id: UInt32) async throws(NotifierError) {
        try await perform { notifier throws(NotifierError) in try notifier.closeExpiredNotification(id) }
    }

    /// Starts to report clicks on these notifications, which a previous run showed.
    ///
    /// - Parameter ended: the `serverInstance` of ended notifications, by ID. A click on an ended
    ///   notification is reported only if that server instance sends it.
    public nonisolated func adopt(_ ids: Set<UInt32>, ended: [UInt32: String] = [:]) async {
        try? await perform { notifier throws(NotifierError) in
            notifier.notifications.adopt(ids, endedInstances: ended)
        }
    }

    /// Discards all IDs, after the server was replaced or restarted.
    public nonisolated func discardAll() async {
        try? await perform { notifier throws(NotifierError) in notifier.resetState() }
    }

    private nonisolated func perform<Value: Sendable>(
        grace: Duration = .zero,
        _ work: @escaping @Sendable (isolated Notifier) throws(NotifierError) -> Value
    ) async throws(NotifierError) -> Value {
        let answer = CallResult<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.complete(waiter: continuation)
                GLibThread.shared.perform {
                    answer.fulfill(self.assumeIsolated { notifier in Result.capturing(work, on: notifier) })
                }
            }
        } onCancel: {
            guard grace > .zero else { return answer.fulfill(.failure(.cancelled)) }
            EventLoop.shared.after(grace) { answer.fulfill(.failure(.cancelled)) }
        }
        return try result.get()
    }
}

extension Result where Success: Sendable, Failure == NotifierError {
    fileprivate static func capturing(
        _ work: (isolated Notifier) throws(NotifierError) -> Success, on notifier: isolated Notifier
    ) -> Self {
        do { return .success(try work(notifier)) } catch { return .failure(error) }
    }
}
