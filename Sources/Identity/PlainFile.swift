import Glibc
import Threads

/// A small file that is read and replaced as a whole.
enum PlainFile {
    enum Reading {
        case absent
        /// At most the limit and one byte more, by which a caller sees that it is larger.
        case read([UInt8], stat)
        /// What the system, or a look at the file, says.
        case failed(String)
    }

    static func read(_ path: String, limit: Int, following: Bool = true) -> Reading {
        // Non-blocking: a FIFO in the file's place would hang the daemon.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (following ? 0 : O_NOFOLLOW)
        let number = open(path, flags)
        if number < 0 && errno == ENOENT { return .absent }
        if number < 0 && errno == ELOOP { return .failed("it is a symbolic link") }
        guard number >= 0 else { return .failed(problem()) }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { return .failed(problem()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failed("it is no regular file") }
        guard let bytes = file.read(atMost: limit + 1) else { return .failed(problem()) }
        return .read(bytes, status)
    }

    /// Puts `bytes` into `path`, mode 0600: a crash, and a power cut, leaves the old ones or the new ones.
    /// Returns what failed.
    static func replace(_ path: String, with bytes: [UInt8], in directory: String) -> String? {
        let part = path + ".new"
        // A left-over of a crash may have any mode.
        unlink(part)
        let number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { return problem() }
        let file = Descriptor(owning: number)
        guard file.write(bytes), fsync(file.number) == 0, rename(part, path) == 0 else { return problem() }
        return syncDirectory(directory)
    }

    /// Without it the new name may not survive a power cut, after the secret has left the keyring.
    private static func syncDirectory(_ path: String) -> String? {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return problem() }
        defer { close(directory) }
        return fsync(directory) == 0 ? nil : problem()
    }

    static func problem() -> String { String(cString: strerror(errno)) }
}
