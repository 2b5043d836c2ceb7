import ArgumentParser
import Desktop
import Glibc
import Localization
import NotificationPolicy
import Platform
import Runtime

/// The command that shows a notification about a link that `cutied open` could not open. The command reads
/// the text from standard input.
struct NoticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "Show that a link could not be opened.")

    func run() async throws {
        guard let bytes = Descriptor(owning: STDIN_FILENO).read(atMost: 1 << 16) else { return }
        var notification = DesktopNotification(
            summary: localized("Cannot open the link"), body: String(decoding: bytes, as: UTF8.self))
        notification.category = "im.error"
        notification.sound = .silent
        // Do not set `desktopEntry`: GNOME closes the notifications of an application when the application
        // exits, and this program exits immediately.
        notification.iconName = Product.desktopEntry
        _ = try? await Notifier(applicationName: Product.title).show(notification)
    }
}
