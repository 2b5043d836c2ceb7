import Runtime
public import Varlink

/// A client connection to a Varlink service. The connection supports one call or stream at a time.
public final class Client: Sendable {
    private enum Phase {
        case idle, busy
        /// A call failed or was cancelled. The connection is unusable, because the reply to that call may
        /// still arrive.
        case broken
    }

    private struct State {
        var decoder: MessageDecoder
        var phase = Phase.idle
    }

    private let channel: Channel
    private let faults: FaultCatalog
    private let limits: MessageLimits
    private let state: Locked<State>

    /// Connects to the socket at `path`.
    ///
    /// - Parameters:
    ///   - faults: the fault types that the client decodes. Other faults are thrown as `UnknownFault`.
    ///   - timeout: the maximum time to wait while the connection queue of the server is full.
    /// - Throws: `SocketFailure`: `notRunning` if no server is listening, `timedOut` after `timeout`.
    public init(
        path: String, faults: FaultCatalog = FaultCatalog(), limits: MessageLimits = MessageLimits(),
        timeout: Duration = .seconds(5)
    ) async throws {
        channel = Channel(try await Descriptor.openConnection(to: path, timeout: timeout))
        self.faults = faults
        self.limits = limits
        state = Locked(State(decoder: MessageDecoder(limit: limits.bytes)))
    }

    /// Calls `method`. Returns the parameters of the reply as received, without parsing the JSON.
    ///
    /// - Parameter timeout: the time limit. After a timeout, the client is unusable.
    /// - Throws: the service's `Fault`, an `UnknownFault`, or a `SocketFailure`.
    public func callRaw<M: Method>(_ method: M, timeout: Duration? = nil) async throws -> [UInt8] {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let reply = try await withReservedConnection { client in
            try await client.channel.write(try Call.encode(method), until: deadline)
            let reply = try await client.receiveReply(until: deadline)
            guard !reply.continues else {
                throw MessageError.notAReply(reason: "the server announced more replies than were requested")
            }
            return reply
        }
        return try reply.checkedParametersJSON(faults: faults)
    }

    /// Calls `method` and returns the decoded reply. Throws the same errors as `callRaw`, and `DecodingError`
    /// if the reply has an unexpected structure.
    public func call<M: Method>(_ method: M, timeout: Duration? = nil) async throws -> M.Reply {
        let json = try await callRaw(method, timeout: timeout)
        return try Reply(parametersJSON: json).decodeParameters(as: M.Reply.self, faults: faults)
    }

    /// Sends `method` as a oneway call. The service sends no reply, so the caller does not learn whether the
    /// call succeeded.
    public func send<M: Method>(oneway method: M) async throws {
        try await withReservedConnection {
            try await $0.channel.write(try Call.encode(method, mode: .oneway))
        }
    }

    /// Calls `method` with the flag `more` and returns the replies as a stream. The client is busy until
    /// the last reply. To end the stream earlier, discard the stream and the client; the connection is then
    /// closed.
    public func stream<M: Method>(_ method: M) async throws -> ReplySequence<M> {
        try reserveConnection()
        do { try await channel.write(try Call.encode(method, mode: .more)) } catch {
            releaseConnection(nextPhase: .broken)
            throw error
        }
        return ReplySequence(client: self)
    }

    /// Receives the next reply of the current stream.
    func receiveStreamReply() async throws -> Reply {
        do {
            let reply = try await receiveReply()
            if !reply.continues { releaseConnection(nextPhase: .idle) }
            _ = try reply.checkedParametersJSON(faults: faults)
            return reply
        } catch {
            if state.withLock({ $0.phase }) == .busy { releaseConnection(nextPhase: .broken) }
            throw error
        }
    }

    private func receiveReply(until deadline: ContinuousClock.Instant? = nil) async throws -> Reply {
        while true {
            if let message = try state.withLock({ state throws(MessageError) in
                try state.decoder.nextMessage()
            }) {
                return try Reply(decoding: message, depthLimit: limits.depth)
            }
            let bytes = try await channel.read(until: deadline)
            guard !bytes.isEmpty else { throw SocketFailure.peerDisconnected }
            state.withLock { $0.decoder.append(bytes) }
        }
    }

    /// Runs `body` while the connection is reserved for one call. If the call fails or is cancelled, makes
    /// the connection unusable, because the next call would receive the reply to this call.
    private func withReservedConnection<Result: Sendable>(
        _ body: (Client) async throws -> Result
    ) async throws -> Result {
        try reserveConnection()
        do {
            let result = try await body(self)
            releaseConnection(nextPhase: .idle)
            return result
        } catch {
            releaseConnection(nextPhase: .broken)
            throw error
        }
    }

    private func reserveConnection() throws(SocketFailure) {
        try state.withLock { state throws(SocketFailure) in
            switch state.phase {
            case .idle: state.phase = .busy
            case .busy: throw .inUse
            case .broken: throw .peerDisconnected
            }
        }
    }

    private func releaseConnection(nextPhase phase: Phase) {
        state.withLock { $0.phase = phase }
        if phase == .broken { channel.shutDown() }
    }
}

/// The replies to a call with the flag `more`. The sequence reads from the socket only when the caller
/// requests the next reply, so a slow consumer also slows down the service.
///
/// The sequence ends after the last reply. The sequence throws the service's error, or
/// `SocketFailure.peerDisconnected` if the service closes the connection before the last reply.
public struct ReplySequence<M: Method>: AsyncSequence, Sendable {
    let client: Client

    /// A reply, which is decoded when `value` is accessed.
    public struct Element: Sendable {
        /// The parameters of the reply as received, a JSON object.
        public let json: [UInt8]

        /// The decoded reply. The property throws `DecodingError` if the reply has an unexpected structure.
        public var value: M.Reply {
            get throws { try Reply(parametersJSON: json).decodeParameters(as: M.Reply.self) }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: Client
        private var isFinished = false

        init(client: Client) {
            self.client = client
        }

        public mutating func next() async throws -> Element? {
            guard !isFinished else { return nil }
            isFinished = true
            let reply = try await client.receiveStreamReply()
            isFinished = !reply.continues
            return Element(json: reply.parametersJSON)
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(client: client) }
}
