public import Varlink

/// What the peers of a server may cost it.
public struct Limits: Hashable, Sendable {
    /// When one more comes, the connection that has been idle longest goes.
    public var connections: Int
    /// For what comes and for what goes.
    public var message: MessageLimits
    /// From the first byte of a message to its last, of calls and of replies that are no stream.
    public var unfinishedMessage: Duration

    public init(
        connections: Int = 1024, message: MessageLimits = MessageLimits(),
        unfinishedMessage: Duration = .seconds(60)
    ) {
        self.connections = connections
        self.message = message
        self.unfinishedMessage = unfinishedMessage
    }
}
