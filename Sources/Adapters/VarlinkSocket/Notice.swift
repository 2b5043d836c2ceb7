public import Varlink

/// Something a server did to a peer that is worth a line in the log.
public enum Notice: Sendable {
    /// Closed before the first byte was read.
    case foreignPeer(Peer)
    /// Closed because its bytes were no call.
    case badMessage(Peer, MessageError)
    /// Closed because it left a message unfinished, or a reply unread.
    case tooSlow(Peer)
    /// Closed to make room for another.
    case tableFull(Peer)
    /// No descriptors are left to accept with.
    case descriptorsExhausted
}
