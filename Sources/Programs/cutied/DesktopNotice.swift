import Control
import ControlAPI
import ControlClient
import Desktop
import FoundationEssentials
import Glibc
import Localization
import Platform
import Threads

/// A pop-up for a person who clicked a link: nobody reads the standard error of what the desktop starts.
enum DesktopNotice {
    static func tell(_ error: any Error) async {
        if let text = ErrorReporter.text(of: error) { await tell(text) }
    }

    /// Where standard error is a terminal, or there is no desktop, nothing pops up.
    static func tell(_ text: String) async {
        guard isatty(STDERR_FILENO) == 0, hasDesktop(ProcessInfo.processInfo.environment) else { return }
        var popup = Popup(summary: localized("That could not be opened"), body: text)
        popup.category = "im.error"
        popup.sound = .silent
        // Not the name of our .desktop file: GNOME takes the pop-ups of an application away when it ends, and
        // this one ends now.
        popup.iconName = Product.desktopEntry
        // A server that hangs must not hold up our end.
        _ = await EventLoop.shared.within(.seconds(5)) { [popup] in
            try? await Notifier(applicationName: "Cuti-E").show(popup)
        }
    }

    /// Without a bus libnotify would start one of its own.
    private static func hasDesktop(_ environment: [String: String]) -> Bool {
        let standard = environment.value(of: "XDG_RUNTIME_DIR").map { $0 + "/bus" }
        return environment.hasDisplay
            && (environment.value(of: "DBUS_SESSION_BUS_ADDRESS") != nil
                || standard.map { SocketProbe.failure(at: $0) == nil } ?? false)
    }
}
