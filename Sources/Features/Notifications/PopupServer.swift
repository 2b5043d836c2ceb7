import ControlAPI
package import Desktop
package import NotificationPolicy

/// The notification server as used by `PopupManager`.
package protocol PopupServer: Sendable {
    func server() async -> NotificationServer?
    /// Returns whether this server still shows notifications. Also `true` if it does not answer in time.
    func isPresent(_ server: NotificationServer) async -> Bool
    func show(_ popup: Popup, replacing id: UInt32?) async throws(NotifierError) -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Removes an expired pop-up from the server's history, if the server has one.
    func closeExpired(_ id: UInt32) async throws(NotifierError)
    /// Identifies the run of the server; `nil` if unknown.
    var serverInstance: String? { get }
    /// Also reports clicks on these pop-ups, which a previous run has shown, and on the `ended` ones if they
    /// come from the given instance of the server.
    func adopt(_ ids: Set<UInt32>, ended: [UInt32: String]) async
    /// Forgets all ids.
    func forgetAll() async
}

extension Notifier: PopupServer {}

extension Popup {
    /// Returns a pop-up that is not about a reply.
    package static func notice(_ summary: String, _ body: String, category: String = "") -> Popup {
        var popup = Popup(summary: summary, body: body)
        popup.category = category
        popup.sound = .silent
        // The end of the text is the instruction, so do not cut it.
        popup.bodyLimit = 1000
        popup.showsProduct()
        return popup
    }

    /// Sets the daemon's name and icon.
    mutating func showsProduct() {
        desktopEntry = Product.desktopEntry
        iconName = Product.desktopEntry
    }
}
