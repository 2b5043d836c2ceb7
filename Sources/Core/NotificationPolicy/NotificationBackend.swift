/// A backend that shows notifications on the desktop. `NotificationScreen` is its only user; `Notifier`
/// implements it with libnotify.
public protocol NotificationBackend: Sendable {
    /// The clicks on notifications, the typed replies, and the ends of notifications.
    var events: AsyncStream<NotificationEvent> { get }
    func fetchServer() async -> NotificationServer?
    /// Returns whether this server still shows notifications; `true` if the server does not respond in time.
    func isPresent(_ server: NotificationServer) async -> Bool
    func show(_ notification: DesktopNotification, replacing id: UInt32?) async throws(NotifierError)
        -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Removes an expired notification from the server's history; has no effect on servers without a history.
    func closeExpired(_ id: UInt32) async throws(NotifierError)
    /// The identity of the running server process; `nil` if unknown.
    var serverInstance: String? { get }
    /// Starts to report events of notifications that a previous run of the daemon showed. Events of `ended`
    /// notifications are reported only if they come from the given server instance.
    func adopt(_ ids: Set<UInt32>, ended: [UInt32: String]) async
    /// Discards all notification IDs.
    func discardAll() async
}
