package import NotificationPolicy
import Platform

extension DesktopNotification {
    /// Returns a notification that is not about a reply.
    package static func makeNotice(summary: String, body: String, category: String = "")
        -> DesktopNotification
    {
        var notification = DesktopNotification(summary: summary, body: body)
        notification.category = category
        notification.sound = .silent
        // Raise the limit, because the instruction at the end of the text must not be truncated.
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
