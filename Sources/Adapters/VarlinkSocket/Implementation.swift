public import Varlink

/// A set of methods and their handlers. A service can consist of several implementations.
public struct Implementation: Sendable {
    enum Handler: Sendable {
        case reply(@Sendable (Call, Peer) async throws -> Reply)
        case stream(@Sendable (Call, ServerConnection) async throws -> Void)
    }

    /// The handlers by fully qualified method name.
    private(set) var handlers: [(method: String, handler: Handler)] = []

    public init() {}

    /// Adds a handler that returns one reply. If `handler` throws a `Fault`, the fault is sent instead.
    public consuming func on<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>) async throws -> M.Reply
    ) -> Implementation {
        let reply = Handler.reply { call, peer in
            try Reply(try await handler(call.decodeInvocation(sentBy: peer)))
        }
        handlers.append((M.name, reply))
        return self
    }

    /// Adds a handler whose reply depends only on the parameters.
    public consuming func on<M: Method>(
        _ handler: @escaping @Sendable (M) async throws -> M.Reply
    ) -> Implementation {
        on(M.self) { try await handler($0.parameters) }
    }

    /// Adds a handler for calls with `more`. The handler must finish the stream with a `send` that has
    /// `continues: false`. Otherwise, the server closes the connection, because the protocol has no other way
    /// to end a stream. The server cancels the handler when the peer disconnects.
    public consuming func onStream<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>, ReplyStream<M>) async throws -> Void
    ) -> Implementation {
        let stream = Handler.stream { call, connection in
            try await handler(
                try call.decodeInvocation(sentBy: connection.peer), ReplyStream(connection: connection))
        }
        handlers.append((M.name, stream))
        return self
    }
}

extension Call {
    fileprivate func decodeInvocation<M: Method>(sentBy peer: Peer) throws(InvalidParameter) -> Invocation<M>
    {
        Invocation(parameters: try decodeParameters(as: M.self), peer: peer, isOneway: isOneway)
    }
}

/// A call of the method `M`, as passed to a handler.
public struct Invocation<M: Method>: Sendable {
    public let parameters: M
    /// The process that sent the call.
    public let peer: Peer
    /// Whether the call is oneway: the client expects no reply, so the server discards the result of the
    /// handler.
    public let isOneway: Bool
}

/// The stream through which a handler sends several replies to one call.
public struct ReplyStream<M: Method>: Sendable {
    let connection: ServerConnection

    /// Sends a reply and waits until the socket buffer accepts it. A peer that does not read therefore
    /// suspends the handler (backpressure). Concurrent calls are not allowed.
    ///
    /// - Parameter continues: whether more replies follow; `false` for the last reply.
    /// - Throws: `CancellationError` if the peer has disconnected, `ServerSession.Misuse` after the last
    ///   reply.
    @concurrent public func send(_ reply: M.Reply, continues: Bool = true) async throws {
        let message = try Reply(reply, continues: continues)
        do { try await connection.sendReply(message, withoutTimeout: true) } catch SocketFailure
            .peerDisconnected
        {
            throw CancellationError()
        }
    }
}
