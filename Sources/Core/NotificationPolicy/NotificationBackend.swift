/// The interface to the notification server. `Notifier` implements the interface with libnotify. In the
/// daemon, only `NotificationScreen` calls its methods; `events` is read elsewhere.
public protocol NotificationBackend: Sendable {
    /// The events of shown notifications: clicks, typed replies, and closed notifications.
    var events: AsyncStream<NotificationEvent> { get }
    func fetchServer() async -> NotificationServer?
    /// The error message of a server that exited immediately after the session bus started it; `nil` if the
    /// last query did not fail for this reason.
    var startFailure: String? { get }
    /// Returns whether `server` is still running. A server that does not respond in time counts as running.
    func isStillRunning(_ server: NotificationServer) async -> Bool
    func show(_ notification: DesktopNotification, replacing id: UInt32?) async throws(NotifierError)
        -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Removes an expired notification from the server's history. Has no effect on a server without a
    /// history.
    func removeFromHistory(_ id: UInt32) async throws(NotifierError)
    /// The identity of the server's process, which changes when the server restarts; `nil` if unknown.
    var serverInstance: String? { get }
    /// Starts to report events of notifications that a previous run of the daemon showed.
    /// `serverInstancesByClosedID`: the
    /// closed notifications, each with the identity of the server process that showed it. Events of a
    /// closed notification are reported only if they come from that process.
    func adoptNotifications(withOpenIDs ids: Set<UInt32>, serverInstancesByClosedID: [UInt32: String]) async
    /// Discards all notification IDs, so that no further event is reported for them.
    func discardAllIDs() async
}
