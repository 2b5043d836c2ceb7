import Glibc
import Runtime

/// Functions for small files that are always read and replaced as a whole.
enum RegularFile {
    struct Contents {
        /// The content of the file, truncated to `sizeLimit` + 1 bytes, so that the caller can detect a file that
        /// is too large.
        let bytes: [UInt8]
        let status: stat
    }

    /// Reads a regular file, but at most `sizeLimit` + 1 bytes. Returns `nil` if the file does not exist.
    static func read(_ path: String, sizeLimit: Int, followsLinks: Bool = true) throws(FileFailure)
        -> Contents?
    {
        guard let file = try open(path, followsLinks: followsLinks) else { return nil }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw FileFailure() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure(EINVAL, "it is not a regular file")
        }
        guard let bytes = file.read(atMost: sizeLimit + 1) else { throw FileFailure() }
        return Contents(bytes: bytes, status: status)
    }

    private static func open(_ path: String, followsLinks: Bool) throws(FileFailure) -> Descriptor? {
        // Open with O_NONBLOCK, because opening a FIFO would block.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let number = Glibc.open(path, flags)
        guard number < 0 else { return Descriptor(owning: number) }
        let failure = FileFailure()
        switch failure.code {
        case ENOENT: return nil
        case ELOOP: throw FileFailure(ELOOP, "it is a symbolic link")
        default: throw failure
        }
    }

    /// Replaces the file atomically and durably, with mode 0600. A crash or power failure leaves either the
    /// old or the new content, so the caller may delete the secret from the keyring after this function
    /// returns.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        do throws(Descriptor.ReplacementFailure) {
            try Descriptor.replaceFile(at: path, with: bytes, mode: 0o600, syncsDirectory: true)
        } catch {
            throw FileFailure(error.code, String(cString: strerror(error.code)))
        }
    }

    /// The reason why a file could not be read or replaced.
    struct FileFailure: Error {
        /// The errno of the system call.
        let code: Int32
        /// The error message of the system, or the reason why the file was rejected.
        let message: String

        /// The message in parentheses, for the end of a sentence.
        var detail: String { " (\(message))" }

        init(_ code: Int32, _ message: String) { (self.code, self.message) = (code, message) }

        /// Creates the failure from the current `errno`. Must be called before another call changes `errno`.
        init() {
            code = errno
            message = String(cString: strerror(code))
        }
    }
}
