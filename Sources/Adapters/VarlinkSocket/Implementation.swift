public import Varlink

/// Methods and what answers each: a part of what a service does. Which interface describes them is the
/// service's to know.
public struct Implementation: Sendable {
    enum Handler: Sendable {
        case reply(@Sendable (Call, Peer) async throws -> Reply)
        case stream(@Sendable (Call, Connection) async throws -> Void)
    }

    /// By their fully qualified names.
    private(set) var handlers: [(method: String, handler: Handler)] = []

    public init() {}

    /// Answers `method` once. A `Fault` that `handler` throws is the answer.
    public consuming func on<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>) async throws -> M.Reply
    ) -> Implementation {
        let reply = Handler.reply { call, peer in try Reply(try await handler(call.invocation(peer))) }
        handlers.append((M.name, reply))
        return self
    }

    /// Answers a method whose answer depends on nothing but its parameters.
    public consuming func on<M: Method>(
        _ handler: @escaping @Sendable (M) async throws -> M.Reply
    ) -> Implementation {
        on(M.self) { try await handler($0.parameters) }
    }

    /// Answers `method`, which must be called with `more`, as often as `handler` sends. The handler's last
    /// `send` has `continues: false`; where it returns without one, the connection is closed, because the
    /// protocol knows no end of a stream that is not a reply. It is cancelled when the peer goes.
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

/// A call of `M` as a handler gets it.
public struct Invocation<M: Method>: Sendable {
    public let parameters: M
    /// Who calls.
    public let peer: Peer
    /// The caller wants no reply: what the handler returns or throws is not sent.
    public let isOneway: Bool
}

/// Where the handler of a streaming method sends its replies.
public struct ReplyStream<M: Method>: Sendable {
    let connection: Connection

    /// Sends one reply and returns when the socket has taken it: a peer that does not read suspends the
    /// handler. `continues: false` ends the stream. One `send` at a time. Throws `CancellationError` when
    /// the peer has gone and `ServerSession.Misuse` after the last reply.
    @concurrent public func send(_ reply: M.Reply, continues: Bool = true) async throws {
        let message = try Reply(reply, continues: continues)
        do { try await connection.answer(message, patiently: true) } catch SocketFailure.peerGone {
            throw CancellationError()
        }
    }
}
