import Glibc

/// Who may connect, decided before the first byte is read.
public struct PeerPolicy: Sendable {
    public let allows: @Sendable (Peer) -> Bool

    public init(allows: @escaping @Sendable (Peer) -> Bool) {
        self.allows = allows
    }

    /// Processes of the server's own effective user.
    public static let sameUser = PeerPolicy { $0.uid == geteuid() }
}
