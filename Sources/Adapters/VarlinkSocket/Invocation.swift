public import Varlink

/// A call of `M` as a handler gets it.
public struct Invocation<M: Method>: Sendable {
    public let parameters: M
    /// Who calls.
    public let peer: Peer
    /// The caller wants no reply: what the handler returns or throws is not sent.
    public let isOneway: Bool
}
