import Glibc

/// An error of a socket, or an error that its peer caused.
public enum SocketFailure: Error, Hashable, CustomStringConvertible {
    /// The path is longer than a Unix socket address allows (`limit`, in bytes).
    case pathTooLong(path: String, limit: Int)
    /// A file already exists at the path.
    case pathInUse(path: String)
    /// An inherited descriptor is not a listening Unix stream socket.
    case notListening(descriptor: Int32)
    /// `run` was called a second time.
    case alreadyRun
    /// No server is listening on the path.
    case notRunning(path: String)
    /// The user is not allowed to connect to the socket.
    case notPermitted(path: String)
    /// The peer closed the connection or did not accept it.
    case peerDisconnected
    /// The peer did not reply or complete a message in time.
    case timedOut
    /// Another call or stream is in progress on this connection.
    case inUse
    /// A system call failed with this `errno`.
    case system(operation: String, code: Int32)

    /// Returns an error with the current `errno`.
    static func currentSystemError(in operation: String) -> SocketFailure {
        .system(operation: operation, code: errno)
    }

    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is longer than \(limit) bytes; choose a shorter one"
        case .pathInUse(let path): "\(path) already exists; remove it if it is not in use"
        case .notListening(let descriptor):
            "the inherited descriptor \(descriptor) is not a listening Unix stream socket"
        case .alreadyRun: "the server has already run; create a new one"
        case .notRunning(let path): "no process listens at \(path); start the daemon"
        case .notPermitted(let path):
            "this user has no permission to open \(path); run as the user of the daemon"
        case .peerDisconnected: "the other side closed the connection; check whether it is still running"
        case .timedOut: "the other side did not respond in time; try again"
        case .inUse: "the connection is busy with another call; open another connection"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
