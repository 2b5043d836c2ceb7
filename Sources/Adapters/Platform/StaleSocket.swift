import Glibc

/// A socket file that a killed daemon left behind.
public enum StaleSocket {
    /// Removes the socket at `path`, but no other type of file. The caller must hold the state lock, because
    /// another daemon could otherwise be about to listen on the path.
    public static func remove(at path: String) throws(StaleSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        // Keep a socket that is in use by systemd or by a daemon with another state directory, because
        // without the socket file, clients could no longer connect to that process.
        guard !SocketProbe.hasListener(at: path) else { throw .inUse(path: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .failed(SystemFailure("remove " + path)) }
    }
}

public enum StaleSocketError: Error, Hashable, Sendable {
    case inUse(path: String)
    case failed(SystemFailure)
}

extension StaleSocketError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .inUse(let path):
            "systemd or another daemon already listens at \(path); stop it first with "
                + "`systemctl --user stop cutied.socket cutied`, or set CUTIED_SOCKET to another path"
        case .failed(let failure): "\(failure)"
        }
    }
}

/// Functions that test whether a process uses a Unix socket.
public enum SocketProbe {
    /// Tries to connect to `path`, without blocking. Returns the error; `nil` if a process is listening. A
    /// `path` that starts with NUL is an abstract address.
    public static func findConnectionError(at path: String) -> String? {
        guard let code = connect(to: path, kind: SOCK_STREAM) else { return "its path is too long" }
        // EAGAIN means that the queue of a listening process is full.
        return code == 0 || code == EAGAIN ? nil : String(cString: strerror(code))
    }

    /// Returns whether a process has bound a stream socket to `path`. Does not establish a connection,
    /// because a connection would make systemd start the service. Returns `false` if the test itself fails.
    public static func hasListener(at path: String) -> Bool {
        // Connect with another socket type: if a process uses the socket, the error is EPROTOTYPE, otherwise
        // ECONNREFUSED.
        [0, EPROTOTYPE].contains(connect(to: path, kind: SOCK_DGRAM))
    }

    /// Tries to connect. Returns 0 or an error number; `nil` if the path is too long.
    private static func connect(to path: String, kind: __socket_type) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard path.utf8.count < space.count else { return false }
            space.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return nil }
        let flags = Int32(kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // An abstract address has no terminating NUL, so its length must be exact.
        let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("\0") ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(length)) == 0 ? 0 : errno
            }
        }
    }
}
