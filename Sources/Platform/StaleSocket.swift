import Glibc

/// A socket that a daemon left behind when it was killed.
public enum StaleSocket {
    /// Removes the socket at `path`; what is no socket stays. Only under the state lock: without it the
    /// socket may be that of a daemon that runs.
    public static func remove(at path: String) throws(SystemFailure) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemFailure("remove " + path) }
    }
}
