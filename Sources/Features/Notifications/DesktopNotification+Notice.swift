package import NotificationPolicy
import Platform

extension DesktopNotification {
    /// Creates a notification with the daemon's name and icon.
    init(_ text: NotificationText) {
        self.init(summary: text.summary, body: text.body)
        desktopEntry = Product.desktopEntry
        iconName = Product.desktopEntry
    }

    /// Returns a notification that is not about a reply.
    package static func makeNotice(summary: String, body: String, category: String = "")
        -> DesktopNotification
    {
        var notification = DesktopNotification(NotificationText(summary: summary, body: body))
        notification.category = category
        notification.sound = .silent
        // Raise the limit, because the instruction at the end of the text must not be truncated.
        notification.bodyLimit = 1000
        return notification
    }
}
