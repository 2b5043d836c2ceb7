import Glibc

/// What can go wrong with a socket and with the peer behind it.
public enum SocketFailure: Error, Hashable, CustomStringConvertible {
    /// A Unix socket's path has at most `limit` bytes.
    case pathTooLong(path: String, limit: Int)
    /// Something is at the path already.
    case pathInUse(path: String)
    /// An inherited descriptor that is no listening Unix stream socket.
    case notListening(descriptor: Int32)
    /// The server's socket was given to a `run` before.
    case alreadyRun
    /// Nobody listens at the path.
    case notRunning(path: String)
    /// The socket may not be opened by this user.
    case notPermitted(path: String)
    /// The peer closed the connection, or never took it.
    case peerGone
    /// The peer did not answer, or not go on, in time.
    case timedOut
    /// One call or stream at a time: another one is under way on this connection.
    case inUse
    /// A call of the system failed with this error number.
    case system(operation: String, code: Int32)

    /// The error number of the call that just failed.
    static func system(_ operation: String) -> SocketFailure {
        .system(operation: operation, code: errno)
    }

    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is longer than \(limit) bytes; choose a shorter one"
        case .pathInUse(let path): "there is something at \(path) already; remove it if nothing uses it"
        case .notListening(let descriptor):
            "the inherited descriptor \(descriptor) is not a listening Unix stream socket"
        case .alreadyRun: "the server has run already; make a new one"
        case .notRunning(let path): "nobody listens at \(path); start the daemon"
        case .notPermitted(let path): "this user may not open \(path); run as the user of the daemon"
        case .peerGone: "the other side closed the connection; see whether it still runs"
        case .timedOut: "the other side took too long; try again"
        case .inUse: "the connection is busy with another call; open one more"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
