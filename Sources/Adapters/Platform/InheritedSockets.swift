import Glibc

/// The sockets that systemd passed to this process (`LISTEN_FDS`). A daemon that cannot start rejects
/// the pending connections of these sockets.
public enum InheritedSockets {
    /// Accepts and closes the pending connections. Otherwise, the pending connections would make systemd
    /// restart the daemon immediately and repeatedly, until systemd disables the socket.
    public static func rejectPendingConnections() {
        guard numericVariable(named: "LISTEN_PID") == getpid(),
            let count = numericVariable(named: "LISTEN_FDS"),
            (1...64).contains(count)
        else { return }
        for socket in 3..<3 + count {
            // Without O_NONBLOCK, the last `accept` call would block until another client connects.
            guard fcntl(socket, F_SETFL, O_NONBLOCK) == 0 else { continue }
            while case let connection = accept(socket, nil, nil), connection >= 0 { close(connection) }
        }
    }

    private static func numericVariable(named name: String) -> Int32? {
        getenv(name).flatMap { Int32(String(cString: $0)) }
    }
}
