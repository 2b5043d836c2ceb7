import CSystemd
import Glibc
import Threads

/// A socket that systemd opened for us and hands over (`LISTEN_FDS`).
public struct ActivationSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// The one that its unit calls `name` (`FileDescriptorName=`); nil where there is none. To be taken once.
    public static func take(named name: String) throws(SystemFailure) -> ActivationSocket? {
        let number = csystemd_find_socket(name)
        guard number != -ENOENT else { return nil }
        guard number >= 0 else { throw SystemFailure("sd_listen_fds", code: -number) }
        return ActivationSocket(descriptor: try Descriptor(number, from: "sd_listen_fds"))
    }

    /// The descriptor's number and the duty to close it. It is close-on-exec.
    public consuming func release() -> Int32 { descriptor.release() }

    /// Hangs up on everybody who waits. To be called before a daemon ends that cannot serve: as long as a
    /// connection waits, systemd starts it again at once, until it gives the socket up.
    public consuming func turnAway() {
        // Non-blocking, or the last accept would wait for the next client.
        guard fcntl(descriptor.number, F_SETFL, O_NONBLOCK) == 0 else { return }
        while case let connection = accept(descriptor.number, nil, nil), connection >= 0 { close(connection) }
    }
}
