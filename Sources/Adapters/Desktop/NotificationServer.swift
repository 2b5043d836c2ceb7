import Attention
import CNotify

extension NotificationServer {
    /// Asks the server of the session. On the GLib thread only.
    static func asked(by application: String) throws(NotifierError) -> NotificationServer {
        cnotify_start(application)
        var answer = cnotify_server(), failure = cnotify_failure()
        guard cnotify_server_ask(&answer, &failure) else { throw NotifierError(failure) }
        defer { cnotify_server_free(&answer) }
        return NotificationServer(answer)
    }

    private init(_ answer: cnotify_server) {
        func text(_ field: UnsafeMutablePointer<CChar>?) -> String {
            field.map { PlainText.line(String(cString: $0), limit: 200) } ?? ""
        }
        let name = text(answer.name)
        let announced = answer.capabilities.map { String(cString: $0) } ?? ""
        self.init(
            name: name.isEmpty ? "unnamed server" : name, vendor: text(answer.vendor),
            version: text(answer.version),
            specVersion: text(answer.specification),
            capabilities: Set(announced.split(separator: "\n").prefix(64).map(String.init)),
            problem: answer.problem.map { text($0) }, isUsable: answer.is_usable)
    }
}

/// Why a pop-up could not be shown. Whatever it is, no id given before holds any more.
public enum NotifierError: Error, Sendable, Hashable {
    /// There is no session bus, or it went.
    case noBus(String)
    /// Nobody shows notifications here.
    case noServer(String)
    /// Another server than the one that gave the ids shows notifications now: try again without them.
    case serverChanged(String)
    /// The server got the pop-up and did not want it.
    case refused(String)
    /// The server is there and did not answer for 25 s; it may still show the pop-up.
    case timedOut
    /// The waiting task was cancelled; the pop-up may still be shown.
    case cancelled
}

extension NotifierError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noBus(let cause):
            "there is no session bus (\(cause)); run in a desktop session or set DBUS_SESSION_BUS_ADDRESS"
        case .noServer(let cause):
            "nobody shows notifications here (\(cause)); start a notification server, for instance dunst"
        case .serverChanged(let name):
            "\(name) shows notifications now; what was on the screen before is gone"
        case .refused(let cause):
            "the notification server refused the pop-up (\(cause)); look into its log"
        case .timedOut:
            "the notification server does not answer; restart it"
        case .cancelled:
            "the pop-up was not waited for; it may have been shown"
        }
    }
}
