import Glibc
import Runtime

/// A Unix socket address, as passed to system calls.
struct UnixAddress {
    /// The maximum length of a path in bytes: `sun_path` has 108 bytes, including the terminating NUL.
    private static let maxPathLength = 107

    private var address = sockaddr_un()

    init(path: String) throws(SocketFailure) {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.maxPathLength else {
            throw .pathTooLong(path: path, limit: Self.maxPathLength)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Passes the address to `body`, which calls for example `bind` or `connect`. Returns 0 or the `errno`.
    func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
    }
}

extension Descriptor {
    /// Creates a Unix stream socket that is non-blocking and close-on-exec.
    static func makeUnixSocket() throws(SocketFailure) -> Descriptor {
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let number = socket(AF_UNIX, Int32(flags), 0)
        guard number >= 0 else { throw .currentSystemError(in: "socket") }
        return Descriptor(owning: number)
    }

    /// Connects to the socket at `path`. Returns the connected socket.
    static func openConnection(to path: String, timeout: Duration) async throws -> Descriptor {
        let address = try UnixAddress(path: path)
        let deadline = ContinuousClock.now + timeout
        while true {
            let descriptor = try Descriptor.makeUnixSocket()
            let failure = address.withSocketAddress { connect(descriptor.number, $0, $1) }
            switch failure {
            case 0: return descriptor
            case EINTR: continue
            case ENOENT, ECONNREFUSED: throw SocketFailure.notRunning(path: path)
            case EACCES, EPERM: throw SocketFailure.notPermitted(path: path)
            case EAGAIN:
                // The connection queue of the server is full. Retry after a pause, because no event reports
                // free space in the queue.
                guard ContinuousClock.now < deadline else { throw SocketFailure.timedOut }
                try await EventLoop.shared.sleep(for: .milliseconds(10))
            default: throw SocketFailure.system(operation: "connect", code: failure)
            }
        }
    }
}
