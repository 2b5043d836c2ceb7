import Glibc

/// A socket in the file system that this process made, recognised by its inode: another daemon may have
/// put its own there since.
struct OwnedPath: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t
    private let made: timespec

    init?(_ path: String) {
        guard let status = Self.status(of: path) else { return nil }
        self.path = path
        (device, inode, made) = (status.st_dev, status.st_ino, status.st_mtim)
    }

    func remove() {
        guard let now = Self.status(of: path), now.st_dev == device, now.st_ino == inode,
            now.st_mtim.tv_sec == made.tv_sec, now.st_mtim.tv_nsec == made.tv_nsec
        else { return }
        unlink(path)
    }

    /// `bind` would tell of a directory that cannot be made only that it is not there.
    static func makeDirectory(of path: String) throws(SocketFailure) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .system("mkdir " + directory) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
