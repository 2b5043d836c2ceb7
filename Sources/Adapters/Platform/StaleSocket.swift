import Glibc

/// A socket that a daemon left behind when it was killed.
public enum StaleSocket {
    /// Removes the socket at `path`; what is no socket stays. Only under the state lock: else another daemon
    /// may be about to listen there.
    public static func remove(at path: String) throws(StaleSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        // Of systemd, or of a daemon with another state directory: nobody could reach them any more.
        guard !SocketKnock.isTaken(path) else { throw .inUse(path: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .failed(SystemFailure("remove " + path)) }
    }
}

public enum StaleSocketError: Error, Hashable, Sendable {
    /// A process has it.
    case inUse(path: String)
    case failed(SystemFailure)
}

extension StaleSocketError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .inUse(let path):
            "something listens at \(path) already, systemd or another daemon; stop it first, with "
                + "`systemctl --user stop cutied.socket cutied`, or set CUTIED_SOCKET to another path"
        case .failed(let failure): "\(failure)"
        }
    }
}
