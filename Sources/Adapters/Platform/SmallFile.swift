import Glibc
import Runtime

public enum SmallFile {
    /// Reads a file, but at most `sizeLimit` + 1 bytes, so that the caller can detect a file that is
    /// too large.
    public static func read(_ path: String, sizeLimit: Int) throws(SystemFailure) -> [UInt8] {
        // Open with O_NONBLOCK, because opening a FIFO would block.
        let file = try Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), resultOf: "open " + path)
        guard let bytes = file.read(atMost: sizeLimit + 1) else { throw SystemFailure("read " + path) }
        return bytes
    }

    /// Replaces the content of `path` atomically: a reader sees the old or the new content, even after a
    /// crash. Follows symbolic links. An existing file keeps its mode, and a new file gets `mode`.
    public static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(SystemFailure) {
        let target = resolveLinks(in: path)
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        do throws(Descriptor.ReplacementFailure) {
            try Descriptor.replaceFile(at: target, with: bytes, mode: mode)
        } catch {
            throw SystemFailure(error.call, code: error.code)
        }
    }

    /// Resolves the symbolic links in `path`, even if the final target does not exist.
    private static func resolveLinks(in path: String, depth: Int = 0) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        // The kernel also follows at most 40 symbolic links.
        guard count > 0, depth < 40 else { return path }
        let name = String(decoding: target[..<count], as: UTF8.self)
        if name.hasPrefix("/") { return resolveLinks(in: name, depth: depth + 1) }
        let directory = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return resolveLinks(in: directory + "/" + name, depth: depth + 1)
    }
}

/// A directory that only its owner can access.
public struct PrivateDirectory: Hashable, Sendable {
    public let path: String

    /// Creates the directory `path` and missing parent directories with mode 0700. Removes the permissions of
    /// other users from an existing directory. Throws if `path` is not a directory or another user owns it.
    public init(making path: String) throws(SystemFailure) {
        self.path = path
        try Self.makePrivateDirectory(at: path)
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let directory = try Descriptor(open(path, flags), resultOf: "open " + path)
        var status = stat()
        guard fstat(directory.number, &status) == 0 else { throw SystemFailure("stat " + path) }
        guard status.st_uid == geteuid() else { throw SystemFailure("own " + path, code: EPERM) }
        guard status.st_mode & 0o777 != 0o700 else { return }
        guard fchmod(directory.number, 0o700) == 0 else { throw SystemFailure("chmod 0700 " + path) }
    }

    private static func makePrivateDirectory(at path: String) throws(SystemFailure) {
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        if code == EEXIST { return }
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard code == ENOENT, !parent.isEmpty else { throw SystemFailure("mkdir " + path, code: code) }
        try makePrivateDirectory(at: parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure("mkdir " + path) }
    }
}
