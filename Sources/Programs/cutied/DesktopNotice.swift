import Control
import FoundationEssentials
import Glibc
import Platform

/// A notification for a user who clicked a link: the user cannot see the standard error of a program that the
/// desktop starts. `cutied-daemon` shows the notification, because it links libnotify.
enum DesktopNotice {
    static func notifyUser(_ error: any Error) async {
        if let text = ErrorReporter.text(of: error) { await notifyUser(text) }
    }

    /// Shows `text` as a notification. Does nothing if standard error is a terminal, or there is no desktop.
    static func notifyUser(_ text: String) async {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDERR_FILENO) == 0, hasDesktop(environment), let program = Installation.current?.daemon
        else { return }
        // A notification server that hangs must not delay the end of this program.
        _ = try? await Launcher.run(
            [program, "notice"], environment: environment, input: Array(text.utf8), within: .seconds(5),
            outputLimit: 0)
    }

    /// Returns whether there is a display and a session bus. Without a bus, libnotify would start a bus.
    private static func hasDesktop(_ environment: [String: String]) -> Bool {
        let standard = environment.nonEmptyValue(named: "XDG_RUNTIME_DIR").map { $0 + "/bus" }
        return environment.hasDisplay
            && (environment.nonEmptyValue(named: "DBUS_SESSION_BUS_ADDRESS") != nil
                || standard.map { SocketProbe.probe(at: $0) == nil } ?? false)
    }
}
