import Glibc

/// An error of a socket or of its peer.
public enum SocketFailure: Error, Hashable, CustomStringConvertible {
    /// The path of a Unix socket may have at most `limit` bytes.
    case pathTooLong(path: String, limit: Int)
    /// A file exists at the path.
    case pathInUse(path: String)
    /// An inherited descriptor is not a listening Unix stream socket.
    case notListening(descriptor: Int32)
    /// The server has already run.
    case alreadyRun
    /// No server listens at the path.
    case notRunning(path: String)
    /// This user is not allowed to open the socket.
    case notPermitted(path: String)
    /// The peer closed the connection or never accepted it.
    case peerGone
    /// The peer did not answer or continue in time.
    case timedOut
    /// Another call or stream is running on this connection.
    case inUse
    /// A system call failed with this error number.
    case system(operation: String, code: Int32)

    /// Returns a failure with the current `errno`.
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
