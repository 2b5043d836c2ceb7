import Control
import FoundationEssentials
import Glibc
import Platform

/// A notification about an error, for a user who clicked a link and cannot see the standard error of this
/// program. `cutied-daemon` shows the notification, because only that program contains the code that calls
/// libnotify.
enum DesktopNotice {
    static func notifyUser(of error: any Error) async {
        if let text = ErrorReporter.notificationMessage(for: error) { await notifyUser(message: text) }
    }

    /// Shows `text` as a notification. Does nothing if standard error is a terminal, or if there is no
    /// desktop.
    static func notifyUser(message text: String) async {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDERR_FILENO) == 0, hasDesktop(in: environment),
            let program = Installation.current?.daemon
        else { return }
        // Limit the run time of `cutied-daemon`, so that an unresponsive notification server does not delay
        // the exit of this program.
        _ = try? await Launcher.run(
            [program, "notice"], environment: environment, input: Array(text.utf8), within: .seconds(5),
            outputLimit: 0)
    }

    /// Returns whether there is a display and a session bus. Checks the bus because libnotify would otherwise
    /// start a new bus.
    private static func hasDesktop(in environment: [String: String]) -> Bool {
        let standard = environment.nonEmptyValue(named: "XDG_RUNTIME_DIR").map { $0 + "/bus" }
        return environment.hasDisplay
            && (environment.nonEmptyValue(named: "DBUS_SESSION_BUS_ADDRESS") != nil
                || standard.map { SocketProbe.findConnectionError(at: $0) == nil } ?? false)
    }
}
