import Glibc
import Threads

/// A directory that nobody else can look into.
public struct PrivateDirectory: Hashable, Sendable {
    public let path: String

    /// Makes `path` with what is missing above it, all 0700, and takes rights of others away from one that
    /// is there. Throws where it is not the user's own, or no directory.
    public init(making path: String) throws(SystemFailure) {
        self.path = path
        try Self.make(path)
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let directory = try Descriptor(open(path, flags), from: "open " + path)
        var status = stat()
        guard fstat(directory.number, &status) == 0 else { throw SystemFailure("stat " + path) }
        guard status.st_uid == geteuid() else { throw SystemFailure("own " + path, code: EPERM) }
        guard status.st_mode & 0o777 != 0o700 else { return }
        guard fchmod(directory.number, 0o700) == 0 else { throw SystemFailure("chmod 0700 " + path) }
    }

    private static func make(_ path: String) throws(SystemFailure) {
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        if code == EEXIST { return }
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard code == ENOENT, !parent.isEmpty else { throw SystemFailure("mkdir " + path, code: code) }
        try make(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure("mkdir " + path) }
    }
}
