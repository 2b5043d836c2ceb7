package import NotificationPolicy
import Platform

extension DesktopNotification {
    /// Returns a notification that is not about a reply.
    package static func makeNotice(_ summary: String, _ body: String, category: String = "")
        -> DesktopNotification
    {
        var notification = DesktopNotification(summary: summary, body: body)
        notification.category = category
        notification.sound = .silent
        // Do not truncate the text, because it ends with the instruction.
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
