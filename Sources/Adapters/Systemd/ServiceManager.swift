import CSystemd
import Glibc
public import Platform
import Runtime

/// The systemd instance that started this process. The daemon sends status notifications to systemd.
/// Without systemd, the functions have no effect. Errors are ignored, because the daemon does not
/// depend on these notifications.
public struct ServiceManager: Sendable {
    public init() {}

    /// The maximum interval between calls of `pingWatchdog`; `nil` if the watchdog is disabled.
    public var watchdogLimit: Duration? {
        let microseconds = csystemd_watchdog_microseconds()
        return microseconds > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    /// Reports that the daemon is ready. Called when the store is open and the socket accepts calls, and
    /// after a reload.
    public func notifyReady(status: String) { send("READY=1\nSTATUS=" + Self.singleLine(status)) }

    /// Sets the status text in `systemctl status`. The text must not contain names of users.
    public func setStatus(_ text: String) { csystemd_notify_nonblocking("STATUS=" + Self.singleLine(text)) }

    /// Reports that a reload of the configuration started. The caller must call `notifyReady` after the
    /// reload.
    public func notifyReloading() {
        let microseconds = Int(SystemClock.timeAwake / .microseconds(1))
        // Send the monotonic time, which units with Type=notify-reload require.
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// Reports that the daemon is stopping.
    public func notifyStopping() { send("STOPPING=1") }

    /// Resets the watchdog timer. Never blocks.
    public func pingWatchdog() { csystemd_notify_nonblocking("WATCHDOG=1") }

    private func send(_ message: String) { csystemd_notify(message) }

    /// Replaces control characters with spaces, because text after a line break would be parsed as another
    /// assignment.
    private static func singleLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

/// A listening socket that systemd passed to this process (socket activation, `LISTEN_FDS`).
public struct ActivationSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// Returns the socket whose `FileDescriptorName=` in the unit is `name`; `nil` if systemd passed no such
    /// socket. Must be called only once per name, because the result owns the descriptor.
    public static func adopt(named name: String) throws(SystemFailure) -> ActivationSocket? {
        let number = csystemd_find_socket(name)
        guard number != -ENOENT else { return nil }
        guard number >= 0 else { throw SystemFailure(call: "sd_listen_fds", code: -number) }
        return ActivationSocket(descriptor: Descriptor(owning: number))
    }

    /// The path of the socket; `nil` for an abstract socket.
    public var path: String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor.number, $0, &size)
            }
        }
        guard failure == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        // An abstract socket has an address that starts with NUL, and no file.
        let path = withUnsafeBytes(of: &address.sun_path) { $0.prefix { $0 != 0 } }
        let text = String(decoding: path, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// The path of the socket if another process removed or replaced the socket file, so that clients can no
    /// longer connect; otherwise `nil`.
    public var lostPath: String? { path.flatMap { SocketProbe.hasListener(at: $0) ? nil : $0 } }

    /// Gives up ownership. Returns the descriptor (close-on-exec), which the caller must close.
    public consuming func release() -> Int32 { descriptor.release() }
}
