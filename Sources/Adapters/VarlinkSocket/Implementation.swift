public import Varlink

/// Methods and their handlers; a part of a service.
public struct Implementation: Sendable {
    enum Handler: Sendable {
        case reply(@Sendable (Call, Peer) async throws -> Reply)
        case stream(@Sendable (Call, ServerConnection) async throws -> Void)
    }

    /// The handlers by fully qualified method name.
    private(set) var handlers: [(method: String, handler: Handler)] = []

    public init() {}

    /// Adds a handler that returns one reply. A `Fault` that `handler` throws is sent as the reply.
    public consuming func on<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>) async throws -> M.Reply
    ) -> Implementation {
        let reply = Handler.reply { call, peer in try Reply(try await handler(call.decodeInvocation(peer))) }
        handlers.append((M.name, reply))
        return self
    }

    /// Adds a handler whose reply depends only on the parameters.
    public consuming func on<M: Method>(
        _ handler: @escaping @Sendable (M) async throws -> M.Reply
    ) -> Implementation {
        on(M.self) { try await handler($0.parameters) }
    }

    /// Adds a handler for calls with `more`. The last `send` must have `continues: false`. If the handler
    /// returns without this `send`, the connection is closed, because the protocol has no other way to end a
    /// stream. The handler is cancelled when the peer disconnects.
    public consuming func onStream<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>, ReplyStream<M>) async throws -> Void
    ) -> Implementation {
        let stream = Handler.stream { call, connection in
            try await handler(try call.decodeInvocation(connection.peer), ReplyStream(connection: connection))
        }
        handlers.append((M.name, stream))
        return self
    }
}

extension Call {
    fileprivate func decodeInvocation<M: Method>(_ peer: Peer) throws(InvalidParameter) -> Invocation<M> {
        Invocation(parameters: try decodeParameters(as: M.self), peer: peer, isOneway: isOneway)
    }
}

/// A call of `M`, as passed to a handler.
public struct Invocation<M: Method>: Sendable {
    public let parameters: M
    /// The calling process.
    public let peer: Peer
    /// Whether the client expects no reply. The result of the handler is then discarded.
    public let isOneway: Bool
}

/// The replies that the handler of a streaming method sends.
public struct ReplyStream<M: Method>: Sendable {
    let connection: ServerConnection

    /// Sends a reply and returns when the socket accepted it, so a peer that does not read suspends the
    /// handler. Only one `send` may run at a time.
    ///
    /// - Parameter continues: `false` ends the stream.
    /// - Throws: `CancellationError` after the peer disconnected, `ServerSession.Misuse` after the last
    ///   reply.
    @concurrent public func send(_ reply: M.Reply, continues: Bool = true) async throws {
        let message = try Reply(reply, continues: continues)
        do { try await connection.answer(message, withoutTimeout: true) } catch SocketFailure.peerDisconnected
        {
            throw CancellationError()
        }
    }
}
