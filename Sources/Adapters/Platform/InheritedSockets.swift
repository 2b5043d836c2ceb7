import Glibc

/// The sockets that systemd has opened for this process (`LISTEN_FDS`), for a daemon that cannot serve them.
public enum InheritedSockets {
    /// Closes the connections that wait at the sockets. As long as one waits, systemd starts the daemon again at
    /// once, until it gives the socket up.
    public static func rejectPeers() {
        guard value(of: "LISTEN_PID") == getpid(), let count = value(of: "LISTEN_FDS"),
            (1...64).contains(count)
        else { return }
        for socket in 3..<3 + count {
            // Non-blocking, or the last accept would wait for the next client.
            guard fcntl(socket, F_SETFL, O_NONBLOCK) == 0 else { continue }
            while case let connection = accept(socket, nil, nil), connection >= 0 { close(connection) }
        }
    }

    private static func value(of name: String) -> Int32? {
        getenv(name).flatMap { Int32(String(cString: $0)) }
    }
}
