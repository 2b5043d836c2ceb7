import Glibc
import Threads

/// A small file that is read and replaced as a whole.
enum PlainFile {
    struct Contents {
        /// At most the limit and one byte more, by which a caller sees that it is larger.
        let bytes: [UInt8]
        let status: stat
    }

    /// nil where it is absent.
    static func read(_ path: String, limit: Int, following: Bool = true) throws(Failure) -> Contents? {
        guard let file = try open(path, following: following) else { return nil }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw Failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(EINVAL, "it is no regular file") }
        guard let bytes = file.read(atMost: limit + 1) else { throw Failure() }
        return Contents(bytes: bytes, status: status)
    }

    private static func open(_ path: String, following: Bool) throws(Failure) -> Descriptor? {
        // Non-blocking: a FIFO in the file's place would hang the daemon.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (following ? 0 : O_NOFOLLOW)
        let number = Glibc.open(path, flags)
        guard number < 0 else { return Descriptor(owning: number) }
        let failure = Failure()
        switch failure.code {
        case ENOENT: return nil
        case ELOOP: throw Failure(ELOOP, "it is a symbolic link")
        default: throw failure
        }
    }

    /// Puts `bytes` into `path`, mode 0600: a crash, and a power cut, leaves the old ones or the new ones, also
    /// after the secret has left the keyring.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        do throws(Descriptor.ReplacementFailure) {
            try Descriptor.replaceFile(path, with: bytes, mode: 0o600, isNameSafe: true)
        } catch {
            throw Failure(error.code, String(cString: strerror(error.code)))
        }
    }

    /// Why a file was not read, or not replaced.
    struct Failure: Error {
        /// An errno.
        let code: Int32
        /// What the system, or a look at the file, says.
        let sentence: String

        init(_ code: Int32, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

        /// Of the call before it: the next one may set another errno.
        init() {
            code = errno
            sentence = String(cString: strerror(code))
        }
    }
}
