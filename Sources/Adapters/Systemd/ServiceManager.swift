import CSystemd
import Glibc
public import Platform
import Threads

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

/// A socket that systemd opened for us and hands over (`LISTEN_FDS`).
public struct ActivationSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// The one that its unit calls `name` (`FileDescriptorName=`); nil where there is none. To be taken once.
    public static func adopt(named name: String) throws(SystemFailure) -> ActivationSocket? {
        let number = csystemd_find_socket(name)
        guard number != -ENOENT else { return nil }
        guard number >= 0 else { throw SystemFailure(call: "sd_listen_fds", code: -number) }
        return ActivationSocket(descriptor: Descriptor(owning: number))
    }

    /// The path that its unit bound; nil for an abstract one.
    public var path: String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor.number, $0, &size)
            }
        }
        guard failure == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        // An abstract name begins with NUL, and is never lost.
        let path = withUnsafeBytes(of: &address.sun_path) { $0.prefix { $0 != 0 } }
        let text = String(decoding: path, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// The path, where nobody can reach it there any more: it was removed, or replaced by what has no owner.
    public var lostPath: String? { path.flatMap { SocketProbe.isTaken($0) ? nil : $0 } }

    /// The descriptor's number and the duty to close it. It is close-on-exec.
    public consuming func release() -> Int32 { descriptor.release() }
}
