import CLinux
import Threads

/// The process at the other end of a connection, as it was when it connected.
public struct Peer: Hashable, Sendable {
    public let uid: UInt32
    public let gid: UInt32
    public let pid: Int32

    public init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }

    /// Told by the kernel: nothing the peer sends has a part in it.
    init(of connection: borrowing Descriptor) throws(SocketFailure) {
        var credentials = clinux_peer_credentials()
        guard clinux_read_peer_credentials(connection.number, &credentials) == 0 else {
            throw .system("SO_PEERCRED")
        }
        self.init(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid)
    }
}
