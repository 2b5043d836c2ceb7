import Glibc
import Runtime
public import Varlink

/// A Varlink service on a Unix socket.
public final class Server: Sendable {
    /// The socket that `run` switches to next; `nil` if there is no new socket.
    private let listener: Locked<ListeningSocket?>
    /// The descriptor of the listening socket while the server waits for connections; otherwise `nil`.
    private let accepting = Locked<Int32?>(nil)
    private let service: Service
    private let peerPolicy: PeerPolicy
    private let identifiesProcesses: Bool
    let limits: ServerLimits
    private let onEvent: @Sendable (ServerEvent) -> Void
    private let table = ServerConnectionTable()

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - identifiesProcesses: whether to identify the process of each peer (`Peer.process`).
    ///   - onEvent: called with each event that should be logged.
    public init(
        listener: consuming ListeningSocket, service: Service, peerPolicy: PeerPolicy = .sameUser,
        identifiesProcesses: Bool = false, limits: ServerLimits = ServerLimits(),
        onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.listener = Locked(listener)
        (self.service, self.peerPolicy, self.identifiesProcesses) = (service, peerPolicy, identifiesProcesses)
        (self.limits, self.onEvent) = (limits, onEvent)
    }

    /// Serves peers until the task is cancelled. Then cancels all handlers and closes all connections and the
    /// listening socket. Can be called only once.
    ///
    /// - Throws: `SocketFailure`.
    public func run() async throws {
        guard var listener = listener.withLock({ $0.take() }) else { throw SocketFailure.alreadyRun }
        accepting.withLock { $0 = listener.descriptor.number }
        defer { accepting.withLock { $0 = nil } }
        do {
            try await withThrowingDiscardingTaskGroup { group in
                while true {
                    try Task.checkCancellation()
                    if let next = self.listener.withLock({ $0.take() }) {
                        accepting.withLock { $0 = next.descriptor.number }
                        listener = next
                    }
                    guard let connection = try await acceptNextConnection(on: listener) else { continue }
                    group.addTask { await self.serve(connection) }
                }
            }
        } catch is CancellationError {}
    }

    /// Switches to another listening socket. Closes the previous listening socket, but not the existing
    /// connections.
    public func switchListeningSocket(to next: consuming ListeningSocket) {
        var next: ListeningSocket? = next
        listener.withLock { swap(&$0, &next) }
        // Wake the accept loop, which then switches to the new socket. The lock keeps the descriptor open
        // during the call.
        accepting.withLock { number in if let number { shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// Waits for the next connection and accepts it. Returns `nil` if no connection is pending, or if the
    /// peer is not allowed; the caller then checks for a new listening socket.
    private func acceptNextConnection(on listener: borrowing ListeningSocket) async throws
        -> ServerConnection?
    {
        switch try listener.acceptConnection() {
        case .connection(let descriptor):
            return addConnection(descriptor)
        case .noConnection:
            _ = try await EventLoop.shared.wait(for: .readable, on: listener.descriptor.number)
        case .exhausted:
            onEvent(.descriptorsExhausted)
            if let peer = table.closeIdlestConnectionIfAtLimit(1) { onEvent(.tableFull(peer)) }
            // Pause, because the queued connection keeps the socket readable, and the loop would otherwise use all
            // CPU time.
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func addConnection(_ descriptor: consuming Descriptor) -> ServerConnection? {
        guard let peer = try? Peer(of: descriptor, identifyingProcess: identifiesProcesses) else {
            return nil
        }
        guard peerPolicy.allows(peer) else {
            onEvent(.foreignPeer(peer))
            return nil
        }
        if let limit = limits.connectionsOfProcess,
            let dropped = table.closeIdlestConnectionIfAtLimit(limit, ofProcess: peer.pid)
        {
            onEvent(.processFull(dropped))
        }
        if let dropped = table.closeIdlestConnectionIfAtLimit(limits.connections) {
            onEvent(.tableFull(dropped))
        }
        let connection = ServerConnection(Channel(descriptor), peer: peer, limits: limits)
        table.add(connection)
        return connection
    }

    /// Serves a peer until it disconnects. An error ends only this connection.
    private func serve(_ connection: ServerConnection) async {
        defer { table.remove(connection) }
        do {
            while let call = try await connection.receiveNextCall() {
                try await handleCall(call, on: connection)
                table.setPhase(of: connection, to: .idle)
                await EventLoop.shared.yield()
            }
        } catch let error as MessageError {
            onEvent(.badMessage(connection.peer, error))
            try? await connection.sendInvalidMessageError()
        } catch SocketFailure.timedOut {
            onEvent(.tooSlow(connection.peer))
        } catch {}
    }

    private func handleCall(_ call: Call, on connection: ServerConnection) async throws {
        let reply: Reply?
        do { reply = try await computeReply(to: call, on: connection) } catch let end as StreamEnd {
            throw end
        } catch {
            try Task.checkCancellation()
            reply = connection.needsReply ? service.makeReply(for: error) : nil
        }
        guard let reply else { return }
        do { try await connection.sendReply(reply) } catch let misuse as ServerSession.Misuse {
            try await connection.sendReply(service.makeReply(for: misuse))
        }
    }

    /// Runs the handler. Returns the reply to send; `nil` for a stream handler, which sends the replies
    /// itself.
    private func computeReply(to call: Call, on connection: ServerConnection) async throws -> Reply? {
        switch try await service.findHandler(for: call, from: connection.peer) {
        case .reply(let handler):
            table.setPhase(of: connection, to: .answering)
            return try await handler(call, connection.peer)
        case .stream(let handler):
            table.setPhase(of: connection, to: .streaming)
            try await runStreamHandler(for: call, handler: handler, on: connection)
            if connection.needsReply { throw StreamEnd.withoutLastReply }
            return nil
        }
    }

    /// Runs a stream handler until it returns or the peer disconnects.
    private func runStreamHandler(
        for call: Call, handler: @escaping @Sendable (Call, ServerConnection) async throws -> Void,
        on connection: ServerConnection
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do { try await handler(call, connection) } catch is CancellationError {
                    throw StreamEnd.peerDisconnected
                }
            }
            group.addTask {
                try await connection.waitForHangUp()
                throw StreamEnd.peerDisconnected
            }
            try await group.next()
        }
    }
}

/// The reason why a stream ended without its last reply.
private enum StreamEnd: Error {
    case peerDisconnected
    case withoutLastReply
}

/// The policy that decides which peers may connect. The policy is checked before the server reads data from
/// the peer.
public struct PeerPolicy: Sendable {
    public let allows: @Sendable (Peer) -> Bool

    public init(allows: @escaping @Sendable (Peer) -> Bool) {
        self.allows = allows
    }

    /// The policy that allows only processes with the same effective user ID as the server.
    public static let sameUser = PeerPolicy { $0.uid == geteuid() }
}

/// The resource limits of a server.
public struct ServerLimits: Hashable, Sendable {
    /// The maximum number of connections. At the maximum, the server closes the connection that has been idle
    /// longest, and then accepts the new connection.
    public var connections: Int
    /// The maximum number of connections per process; `nil` for no limit. The limit prevents one process from
    /// displacing the connections of other processes.
    public var connectionsOfProcess: Int?
    /// The limits for messages in both directions.
    public var message: MessageLimits
    /// The maximum time between the first and the last byte of a message. The limit applies to calls and
    /// replies, but not to the replies of a stream.
    public var unfinishedMessage: Duration

    public init(
        connections: Int = 1024, connectionsOfProcess: Int? = nil, message: MessageLimits = MessageLimits(),
        unfinishedMessage: Duration = .seconds(60)
    ) {
        self.connections = connections
        self.connectionsOfProcess = connectionsOfProcess
        self.message = message
        self.unfinishedMessage = unfinishedMessage
    }
}

/// An event of the server that should be logged.
public enum ServerEvent: Sendable {
    /// The server rejected a peer, before reading data from it.
    case foreignPeer(Peer)
    /// The server closed a connection because it received an invalid message.
    case badMessage(Peer, MessageError)
    /// The server closed a connection because the peer did not complete a message, or did not read a reply,
    /// in time.
    case tooSlow(Peer)
    /// The server closed a connection because the maximum number of connections was reached.
    case tableFull(Peer)
    /// The server closed a connection because the process of the peer reached the maximum number of
    /// connections per process.
    case processFull(Peer)
    /// The server cannot accept a connection because no descriptor is available.
    case descriptorsExhausted
}
