import Glibc

/// An owned file descriptor, which is closed when the value is destroyed.
public struct Descriptor: ~Copyable, Sendable {
    public let number: Int32

    public init(owning number: Int32) { self.number = number }

    /// Gives up ownership. Returns the descriptor, which the caller must close.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { close(number) }

    /// Reads up to `limit` bytes, or to the end of the file. Returns `nil` and sets `errno` if reading fails.
    public func read(atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
        while bytes.count < limit {
            let count = Glibc.read(number, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Writes all of `bytes`. Returns `false` and sets `errno` if writing fails.
    public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension Descriptor {
    /// Replaces the file at `path` atomically: a reader sees the old or the new content, even after a crash.
    /// If `path` is a symbolic link, replaces the link and not its target.
    ///
    /// - Parameter syncsDirectory: whether to also sync the directory, so that the replacement survives a
    ///   power failure.
    public static func replaceFile(
        at path: String, with bytes: [UInt8], mode: UInt32, syncsDirectory: Bool = false
    ) throws(ReplacementFailure) {
        let part = path + ".new"
        // Remove a temporary file that a crash left behind, because the mode of that file may differ from
        // `mode`.
        unlink(part)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let number = open(part, flags, mode)
        guard number >= 0 else { throw ReplacementFailure("create " + part) }
        let file = Descriptor(owning: number)
        guard file.write(bytes) else { throw ReplacementFailure("write " + part) }
        guard fchmod(file.number, mode) == 0, fsync(file.number) == 0 else {
            throw ReplacementFailure("sync " + part)
        }
        guard rename(part, path) == 0 else { throw ReplacementFailure("rename " + part) }
        if syncsDirectory { try syncDirectory(of: path) }
    }

    private static func syncDirectory(of path: String) throws(ReplacementFailure) {
        let end = path.lastIndex(of: "/")
        let name = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw ReplacementFailure("open " + name) }
        let directory = Descriptor(owning: number)
        guard fsync(directory.number) == 0 else { throw ReplacementFailure("sync " + name) }
    }

    /// The reason why a file could not be replaced.
    public struct ReplacementFailure: Error, Hashable, Sendable {
        /// The failed system call and its argument, such as `write /tmp/a.new`.
        public let call: String
        /// The `errno` of the system call.
        public let code: Int32

        fileprivate init(_ call: String) { (self.call, code) = (call, errno) }
    }
}
