package import Desktop
package import NotificationPolicy
import Platform

/// The notification server as used by `NotificationManager`.
package protocol NotificationBackend: Sendable {
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

extension Notifier: NotificationBackend {}

extension DesktopNotification {
    /// Returns a notification that is not about a reply.
    package static func notice(_ summary: String, _ body: String, category: String = "")
        -> DesktopNotification
    {
        var notification = DesktopNotification(summary: summary, body: body)
        notification.category = category
        notification.sound = .silent
        // The end of the text is the instruction, so do not cut it.
        notification.bodyLimit = 1000
        notification.addProductIdentity()
        return notification
    }

    /// Sets the daemon's name and icon.
    mutating func addProductIdentity() {
        desktopEntry = Product.desktopEntry
        iconName = Product.desktopEntry
    }
}
