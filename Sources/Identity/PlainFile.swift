import Glibc

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
        let file = open(path, flags)
        if file < 0 && errno == ENOENT { return .absent }
        if file < 0 && errno == ELOOP { return .failed("it is a symbolic link") }
        guard file >= 0 else { return .failed(problem()) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .failed(problem()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failed("it is no regular file") }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failed(problem()) }
            if count == 0 { break }
            filled += count
        }
        return .read(Array(bytes[..<filled]), status)
    }

    /// Puts `bytes` into `path`, mode 0600: a crash, and a power cut, leaves the old ones or the new ones.
    /// Returns what failed.
    static func replace(_ path: String, with bytes: [UInt8], in directory: String) -> String? {
        let part = path + ".new"
        // A left-over of a crash may have any mode.
        unlink(part)
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return problem() }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return problem() }
            rest = rest.dropFirst(count)
        }
        guard fsync(file) == 0, rename(part, path) == 0 else { return problem() }
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
