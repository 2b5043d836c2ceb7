import CLinux
import Glibc
import Threads

/// A Unix socket that listens. It closes with the value; a path it made goes with it.
public struct ListeningSocket: ~Copyable, Sendable {
    let descriptor: Descriptor
    private let path: OwnedPath?

    /// Listens at `path` with mode 0600, in a directory made 0700 where it is missing. What is at the
    /// path already stays and is an error: a stale socket is the caller's to remove, under its lock.
    public init(bindingTo path: String) throws(SocketFailure) {
        self.init(try Self.open(UnixAddress(path: path), path), OwnedPath(path))
    }

    private static func open(_ address: UnixAddress, _ path: String) throws(SocketFailure) -> Descriptor {
        let descriptor = try Descriptor.unixSocket()
        try OwnedPath.makeDirectory(of: path)
        // Before bind: a chmod after it leaves a moment in which others can connect.
        guard fchmod(descriptor.number, 0o600) == 0 else { throw .system("fchmod") }
        let failure = address.pass { bind(descriptor.number, $0, $1) }
        guard failure != EADDRINUSE else { throw .pathInUse(path: path) }
        guard failure == 0 else { throw .system(operation: "bind \(path)", code: failure) }
        guard listen(descriptor.number, SOMAXCONN) == 0 else { throw .system("listen") }
        return descriptor
    }

    /// Takes over a socket that systemd opened, and leaves its path alone.
    public init(adopting number: Int32) throws(SocketFailure) {
        let expected = [(SO_DOMAIN, AF_UNIX), (SO_TYPE, Int32(SOCK_STREAM.rawValue)), (SO_ACCEPTCONN, 1)]
        guard expected.allSatisfy({ Self.option($0.0, of: number) == $0.1 }) else {
            throw .notListening(descriptor: number)
        }
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { throw .system("fcntl") }
        self.init(Descriptor(owning: number), nil)
    }

    private init(_ descriptor: consuming Descriptor, _ path: OwnedPath?) {
        self.descriptor = descriptor
        self.path = path
    }

    private static func option(_ name: Int32, of number: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    deinit { path?.remove() }
}
