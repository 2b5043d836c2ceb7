package import Attention
import ControlAPI
package import Desktop

/// What the screen needs of a notification server.
package protocol PopupServer: Sendable {
    func server() async -> NotificationServer?
    func show(_ popup: Popup, replacing id: UInt32?) async throws(NotifierError) -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Takes one that expired out of the server's list of what was shown, if it has one.
    func closeExpired(_ id: UInt32) async throws(NotifierError)
    /// Reports clicks on these pop-ups, too, which an earlier run has shown.
    func adopt(_ ids: Set<UInt32>) async
    /// Forgets all ids.
    func forgetAll() async
}

extension Notifier: PopupServer {}

extension Popup {
    /// One that is about no reply.
    package static func notice(_ summary: String, _ body: String, category: String = "") -> Popup {
        var popup = Popup(summary: summary, body: body)
        popup.category = category
        popup.sound = .silent
        // Its end is what to do.
        popup.bodyLimit = 1000
        popup.showsProduct()
        return popup
    }

    /// Under the daemon's name and icon.
    mutating func showsProduct() {
        desktopEntry = Product.desktopEntry
        iconName = Product.desktopEntry
    }
}
