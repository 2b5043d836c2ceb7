import CLinux
import Glibc
import Runtime

/// A listening Unix socket. When the value is destroyed, the socket is closed and, if the value created the
/// socket file, the file is removed.
public struct ListeningSocket: ~Copyable, Sendable {
    let descriptor: Descriptor
    private let path: OwnedPath?

    /// Creates a socket file with mode 0600 at `path` and listens. Creates a missing directory with mode
    /// 0700. Throws if the file exists: the caller must first remove a stale socket while holding the state
    /// lock.
    public init(bindingTo path: String) throws(SocketFailure) {
        self.init(try Self.bindAndListen(on: UnixAddress(path: path), path: path), OwnedPath(path))
    }

    private static func bindAndListen(on address: UnixAddress, path: String) throws(SocketFailure)
        -> Descriptor
    {
        let descriptor = try Descriptor.makeUnixSocket()
        try OwnedPath.makeParentDirectory(of: path)
        // Set the mode before `bind`, because other users could connect between `bind` and a later `chmod`.
        guard fchmod(descriptor.number, 0o600) == 0 else { throw .currentSystemError(in: "fchmod") }
        let failure = address.withSocketAddress { bind(descriptor.number, $0, $1) }
        guard failure != EADDRINUSE else { throw .pathInUse(path: path) }
        guard failure == 0 else { throw .system(operation: "bind \(path)", code: failure) }
        guard listen(descriptor.number, SOMAXCONN) == 0 else { throw .currentSystemError(in: "listen") }
        return descriptor
    }

    /// Adopts a listening socket from systemd. Does not remove the socket file when the value is destroyed.
    public init(adopting number: Int32) throws(SocketFailure) {
        let expected = [(SO_DOMAIN, AF_UNIX), (SO_TYPE, Int32(SOCK_STREAM.rawValue)), (SO_ACCEPTCONN, 1)]
        guard expected.allSatisfy({ Self.socketOption($0.0, of: number) == $0.1 }) else {
            throw .notListening(descriptor: number)
        }
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { throw .currentSystemError(in: "fcntl") }
        self.init(Descriptor(owning: number), nil)
    }

    private init(_ descriptor: consuming Descriptor, _ path: OwnedPath?) {
        self.descriptor = descriptor
        self.path = path
    }

    private static func socketOption(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    deinit { path?.removeSocketFile() }

    enum AcceptResult: ~Copyable {
        case connection(Descriptor)
        case noConnection
        /// The process cannot accept the connection, because no descriptors or memory are left. The
        /// connection stays in the queue.
        case exhausted
    }

    func acceptConnection() throws(SocketFailure) -> AcceptResult {
        while true {
            let number = clinux_accept(descriptor.number)
            if number >= 0 { return .connection(Descriptor(owning: number)) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return .noConnection
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: throw .currentSystemError(in: "accept")
            }
        }
    }
}

/// A socket file that this process created. The inode and the modification time show whether another daemon
/// has replaced the file in the meantime.
private struct OwnedPath: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t
    private let modifiedAt: timespec

    init?(_ path: String) {
        guard let status = Self.fileStatus(of: path) else { return nil }
        self.path = path
        (device, inode, modifiedAt) = (status.st_dev, status.st_ino, status.st_mtim)
    }

    func removeSocketFile() {
        guard let now = Self.fileStatus(of: path), now.st_dev == device, now.st_ino == inode,
            now.st_mtim.tv_sec == modifiedAt.tv_sec, now.st_mtim.tv_nsec == modifiedAt.tv_nsec
        else { return }
        unlink(path)
    }

    /// Creates the directory of `path` and missing parent directories, because `bind` does not create them.
    static func makeParentDirectory(of path: String) throws(SocketFailure) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw .currentSystemError(in: "mkdir " + directory) }
        try makeParentDirectory(of: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw .currentSystemError(in: "mkdir " + directory)
        }
    }

    private static func fileStatus(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}

/// The limit of open file descriptors of this process.
public enum OpenFileLimit {
    /// Raises the soft limit to `count`, but not above the hard limit. Returns the new soft limit. The usual
    /// soft limit (1 024) is too low for a thousand connections.
    @discardableResult
    public static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let wanted = min(rlim_t(count), limit.rlim_max)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
