public import Varlink

/// An interface and what answers its methods.
public struct Implementation: Sendable {
    enum Handler: Sendable {
        case reply(@Sendable (Call, Peer) async throws -> Reply)
        case stream(@Sendable (Call, Connection) async throws -> Void)
    }

    public let interface: Interface
    private(set) var handlers: [String: Handler] = [:]
    /// Throws the fault that answers a call before anything of it is decoded.
    let admit: @Sendable (Call) throws -> Void

    /// `admit` is asked about each call that has a handler, and throws the fault that answers it instead: what
    /// a call may cost is decided before it costs it.
    public init(interface: Interface, admitting admit: @escaping @Sendable (Call) throws -> Void = { _ in }) {
        self.interface = interface
        self.admit = admit
    }

    /// Answers `method` once. A `Fault` that `handler` throws is the answer.
    public consuming func on<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>) async throws -> M.Reply
    ) -> Implementation {
        register(M.name, .reply { call, peer in try Reply(try await handler(call.invocation(peer))) })
        return self
    }

    /// Answers `method`, which must be called with `more`, as often as `handler` sends. The handler's last
    /// `send` has `continues: false`; where it returns without one, the connection is closed, because the
    /// protocol knows no end of a stream that is not a reply. It is cancelled when the peer goes.
    public consuming func onStream<M: Method>(
        _ method: M.Type, _ handler: @escaping @Sendable (Invocation<M>, ReplyStream<M>) async throws -> Void
    ) -> Implementation {
        register(
            M.name,
            .stream { call, connection in
                try await handler(
                    try call.invocation(connection.peer), ReplyStream(connection: connection))
            })
        return self
    }

    /// The methods of the interface without a handler: they answer `MethodNotImplemented`.
    public var missing: [String] {
        interface.methods.map(\.name).filter { handlers[$0] == nil }
    }

    private mutating func register(_ name: String, _ handler: Handler) {
        let method = interface.methods.first { interface.name + "." + $0.name == name }
        guard let method else { preconditionFailure("\(interface.name) does not describe \(name)") }
        handlers[method.name] = handler
    }
}

extension Call {
    fileprivate func invocation<M: Method>(_ peer: Peer) throws(InvalidParameter) -> Invocation<M> {
        Invocation(parameters: try parameters(as: M.self), peer: peer, isOneway: isOneway)
    }
}
