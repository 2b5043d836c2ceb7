import ControlAPI
import Desktop
import Logging

extension Popup {
    /// One that is about no reply.
    static func notice(_ summary: String, _ body: String, category: String = "") -> Popup {
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

extension PopupServer {
    /// Shows what is not worth a second try.
    func tell(_ notice: Popup, _ logger: Logger) async {
        do { _ = try await show(notice, replacing: nil) } catch {
            logger.notice("a notice was not shown", metadata: ["reason": "\(error)"])
        }
    }
}
