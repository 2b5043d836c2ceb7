/// The reason why a notification could not be shown. After any error except `refused` and `cancelled`, all
/// earlier notification IDs are invalid.
public enum NotifierError: Error, Sendable, Hashable {
    /// libnotify is not installed.
    case noLibrary
    /// The session bus is missing or closed the connection.
    case noBus(String)
    /// No notification server is running.
    case noServer(String)
    /// The bus started a notification server that exited at once, or the server exited without a reply.
    case serverExited(String)
    /// A different server is now running. Retry without the IDs of the previous server.
    case serverChanged(String)
    /// The server rejected the notification.
    case refused(String)
    /// The server did not respond within 25 s. The server may still show the notification.
    case timedOut
    /// The calling task was cancelled. The server may still show the notification.
    case cancelled
}

extension NotifierError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noLibrary:
            "libnotify is not installed; type `sudo apt install libnotify4`"
        case .noBus(let cause):
            "no session bus is available (\(cause)); run in a desktop session or set DBUS_SESSION_BUS_ADDRESS"
        case .noServer(let cause):
            "no notification server is running (\(cause)); start one, for example dunst"
        case .serverExited(let cause):
            "the notification server exited (\(cause)); check its log"
        case .serverChanged(let name):
            "the notification server is now \(name); earlier notifications are no longer shown"
        case .refused(let cause):
            "the notification server refused the notification (\(cause)); check its log"
        case .timedOut:
            "the notification server does not respond; restart it"
        case .cancelled:
            "the request was cancelled; the notification may have been shown"
        }
    }
}
