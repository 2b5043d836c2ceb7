/// Shows notifications on the desktop. `NotificationManager` is its only user; `Notifier` implements it with
/// libnotify.
public protocol NotificationBackend: Sendable {
    /// Clicks on the notifications that were shown, and their ends.
    var events: AsyncStream<NotificationEvent> { get }
    func server() async -> NotificationServer?
    /// Returns whether this server still shows notifications. Also `true` if it does not answer in time.
    func isPresent(_ server: NotificationServer) async -> Bool
    func show(_ notification: DesktopNotification, replacing id: UInt32?) async throws(NotifierError)
        -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Removes an expired notification from the server's history, if the server has one.
    func closeExpired(_ id: UInt32) async throws(NotifierError)
    /// Identifies the run of the server; `nil` if unknown.
    var serverInstance: String? { get }
    /// Also reports clicks on these notifications, which a previous run has shown, and on the `ended` ones if they
    /// come from the given instance of the server.
    func adopt(_ ids: Set<UInt32>, ended: [UInt32: String]) async
    /// Forgets all ids.
    func discardAll() async
}
