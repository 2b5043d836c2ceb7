import CLinux
import CSystemd

/// The systemd that started this process, if one did: it is told how the daemon is. Without one nothing
/// happens, and a message that cannot be sent is lost: none is worth stopping for.
public struct ServiceManager: Sendable {
    public init() {}

    /// How often at least `keepAlive` is wanted; nil where nobody watches.
    public var watchdogLimit: Duration? {
        let microseconds = csystemd_watchdog_microseconds()
        return microseconds > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    /// The store is open and the socket answers; also ends `reloading`.
    public func ready(status: String) { send("READY=1\nSTATUS=" + Self.line(status)) }

    /// One line for `systemctl status`, without names of people.
    public func status(_ text: String) { csystemd_mention("STATUS=" + Self.line(text)) }

    /// The configuration is read again; `ready` follows.
    public func reloading() {
        let microseconds = Int(SystemClock.timeAwake / .microseconds(1))
        // The time is what Type=notify-reload knows this reload by.
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    public func stopping() { send("STOPPING=1") }

    public func keepAlive() { csystemd_mention("WATCHDOG=1") }

    private func send(_ message: String) { csystemd_notify(message) }

    /// A line end in a status would begin another assignment.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
