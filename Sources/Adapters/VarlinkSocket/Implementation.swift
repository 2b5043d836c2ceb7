public import Varlink

/// Methods and their handlers: a part of a service. The service knows which interface describes each method.
public struct Implementation: Sendable {
    enum Handler: Sendable {
        case reply(@Sendable (Call, Peer) async throws -> Reply)
        case stream(@Sendable (Call, ServerConnection) async throws -> Void)
    }

    /// The handlers by fully qualified method name.
    private(set) var handlers: [(method: String, handler: Handler)] = []

    public init() {}

    /// Answers `method` with one reply. A `Fault` that `handler` throws becomes the reply.
    public consuming func on<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>) async throws -> M.Reply
    ) -> Implementation {
        let reply = Handler.reply { call, peer in try Reply(try await handler(call.invocation(peer))) }
        handlers.append((M.name, reply))
        return self
    }

    /// Answers a method whose reply depends only on its parameters.
    public consuming func on<M: Method>(
        _ handler: @escaping @Sendable (M) async throws -> M.Reply
    ) -> Implementation {
        on(M.self) { try await handler($0.parameters) }
    }

    /// Answers `method`, which must be called with `more`, with each reply that `handler` sends.
    ///
    /// The last `send` of the handler has `continues: false`. If the handler returns without it, the
    /// connection is closed, because the protocol has no other end of a stream. The handler is cancelled when
    /// the peer disconnects.
    public consuming func onStream<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>, ReplyStream<M>) async throws -> Void
    ) -> Implementation {
        let stream = Handler.stream { call, connection in
            try await handler(try call.invocation(connection.peer), ReplyStream(connection: connection))
        }
        handlers.append((M.name, stream))
        return self
    }
}

extension Call {
    fileprivate func invocation<M: Method>(_ peer: Peer) throws(InvalidParameter) -> Invocation<M> {
        Invocation(parameters: try parameters(as: M.self), peer: peer, isOneway: isOneway)
    }
}

/// A call of `M`, as passed to a handler.
public struct Invocation<M: Method>: Sendable {
    public let parameters: M
    /// The calling process.
    public let peer: Peer
    /// Whether the caller expects no reply. The handler's result is then discarded.
    public let isOneway: Bool
}

/// The replies of a streaming method's handler.
public struct ReplyStream<M: Method>: Sendable {
    let connection: ServerConnection

    /// Sends one reply and returns when the socket has accepted it: a peer that does not read suspends the
    /// handler. Only one `send` may run at a time.
    ///
    /// - Parameter continues: `false` ends the stream.
    /// - Throws: `CancellationError` after the peer has disconnected, `ServerSession.Misuse` after the last
    ///   reply.
    @concurrent public func send(_ reply: M.Reply, continues: Bool = true) async throws {
        let message = try Reply(reply, continues: continues)
        do { try await connection.answer(message, withoutTimeout: true) } catch SocketFailure.peerDisconnected
        {
            throw CancellationError()
        }
    }
}
