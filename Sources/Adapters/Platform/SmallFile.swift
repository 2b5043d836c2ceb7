import Glibc
import Threads

/// A file that is read and replaced as a whole.
public enum SmallFile {
    /// The bytes of `path`, at most `limit` and one more, by which a caller sees that it is larger.
    public static func read(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
        // Non-blocking: a FIFO in the file's place would hang the daemon.
        let file = try Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), from: "open " + path)
        guard let bytes = file.read(atMost: limit + 1) else { throw SystemFailure("read " + path) }
        return bytes
    }

    /// Puts `bytes` into `path` at once: a reader, and a crash, finds the old ones or the new ones. A symbolic
    /// link stays one, and what is there keeps its mode; a new file has `mode`.
    public static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(SystemFailure) {
        let target = resolved(path)
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        let part = target + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        do {
            let file = try Descriptor(open(part, flags, mode), from: "create " + part)
            guard file.write(bytes) else { throw SystemFailure("write " + part) }
            guard fchmod(file.number, mode) == 0, fsync(file.number) == 0 else {
                throw SystemFailure("sync " + part)
            }
        }
        guard rename(part, target) == 0 else { throw SystemFailure("rename " + part) }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
