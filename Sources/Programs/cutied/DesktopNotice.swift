import Control
import ControlAPI
import ControlClient
import Desktop
import FoundationEssentials
import Glibc
import Localization
import Platform
import Threads

/// Shows errors as pop-ups to a person who clicked a link, because the desktop hides standard error.
enum DesktopNotice {
    static func tell(_ error: any Error) async {
        if let text = ErrorReporter.text(of: error) { await tell(text) }
    }

    /// Shows `text`, unless standard error is a terminal or there is no desktop.
    static func tell(_ text: String) async {
        guard isatty(STDERR_FILENO) == 0, hasDesktop(ProcessInfo.processInfo.environment) else { return }
        var popup = Popup(summary: localized("Opening failed"), body: text)
        popup.category = "im.error"
        popup.sound = .silent
        // Not the `desktopEntry` hint: GNOME removes the pop-ups of an application when it exits, and this
        // process exits now.
        popup.iconName = Product.desktopEntry
        // A server that hangs must not delay the exit.
        _ = await EventLoop.shared.within(.seconds(5)) { [popup] in
            try? await Notifier(applicationName: "Cuti-E").show(popup)
        }
    }

    /// Returns whether there is a display and a session bus. Without a bus, libnotify would start one itself.
    private static func hasDesktop(_ environment: [String: String]) -> Bool {
        let standard = environment.value(of: "XDG_RUNTIME_DIR").map { $0 + "/bus" }
        return environment.hasDisplay
            && (environment.value(of: "DBUS_SESSION_BUS_ADDRESS") != nil
                || standard.map { SocketProbe.failure(at: $0) == nil } ?? false)
    }
}
