import Glibc
import Runtime
public import Varlink

/// A Varlink service on a Unix socket.
public final class Server: Sendable {
    /// The socket that `run` will use next; `nil` if there is none.
    private let listener: Locked<ListeningSocket?>
    /// The descriptor on which the server waits for peers; `nil` if it is not waiting.
    private let accepting = Locked<Int32?>(nil)
    private let service: Service
    private let peerPolicy: PeerPolicy
    private let identifiesProcesses: Bool
    let limits: ServerLimits
    private let notice: @Sendable (ServerEvent) -> Void
    private let table = ServerConnectionTable()

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - identifiesProcesses: whether `Peer.process` is set.
    ///   - notice: receives the events that should be logged.
    public init(
        listener: consuming ListeningSocket, service: Service, peerPolicy: PeerPolicy = .sameUser,
        identifiesProcesses: Bool = false, limits: ServerLimits = ServerLimits(),
        notice: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.listener = Locked(listener)
        (self.service, self.peerPolicy, self.identifiesProcesses) = (service, peerPolicy, identifiesProcesses)
        (self.limits, self.notice) = (limits, notice)
    }

    /// Accepts connections until the task is cancelled, then cancels the handlers and closes the connections
    /// and the socket. Can be called only once.
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

    /// Accepts new peers on another socket. The previous socket is closed; connected peers stay connected.
    public func moveListening(to next: consuming ListeningSocket) {
        var next: ListeningSocket? = next
        listener.withLock { swap(&$0, &next) }
        // Wakes the accept loop, which then uses the new socket. The lock keeps the descriptor open during
        // the call.
        accepting.withLock { number in if let number { shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// Returns the next permitted peer; `nil` if the server must switch to another listening socket.
    private func acceptNextConnection(on listener: borrowing ListeningSocket) async throws
        -> ServerConnection?
    {
        switch try listener.acceptConnection() {
        case .connection(let descriptor):
            return addConnection(descriptor)
        case .noConnection:
            _ = try await EventLoop.shared.wait(for: .readable, of: listener.descriptor.number)
        case .exhausted:
            notice(.descriptorsExhausted)
            if let peer = table.closeIdleConnections(limit: 1) { notice(.tableFull(peer)) }
            // The waiting peer keeps the socket readable, so the loop would spin without this pause.
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func addConnection(_ descriptor: consuming Descriptor) -> ServerConnection? {
        guard let peer = try? Peer(of: descriptor, identifyingProcess: identifiesProcesses) else {
            return nil
        }
        guard peerPolicy.allows(peer) else {
            notice(.foreignPeer(peer))
            return nil
        }
        if let limit = limits.connectionsOfProcess,
            let dropped = table.closeIdleConnections(limit: limit, of: peer.pid)
        {
            notice(.processFull(dropped))
        }
        if let dropped = table.closeIdleConnections(limit: limits.connections) { notice(.tableFull(dropped)) }
        let connection = ServerConnection(Channel(descriptor), peer: peer, limits: limits)
        table.add(connection)
        return connection
    }

    /// Serves a peer until it disconnects. Errors do not affect other peers.
    private func serve(_ connection: ServerConnection) async {
        defer { table.remove(connection) }
        do {
            while let call = try await connection.nextCall() {
                try await handleCall(call, on: connection)
                table.mark(connection, .idle)
                await EventLoop.shared.yield()
            }
        } catch let error as MessageError {
            notice(.badMessage(connection.peer, error))
            try? await connection.refuseConnection()
        } catch SocketFailure.timedOut {
            notice(.tooSlow(connection.peer))
        } catch {}
    }

    private func handleCall(_ call: Call, on connection: ServerConnection) async throws {
        let reply: Reply?
        do { reply = try await computeReply(of: call, on: connection) } catch let end as StreamEnd {
            throw end
        } catch {
            try Task.checkCancellation()
            reply = connection.isAnswering ? service.reply(for: error) : nil
        }
        guard let reply else { return }
        do { try await connection.answer(reply) } catch let misuse as ServerSession.Misuse {
            try await connection.answer(service.reply(for: misuse))
        }
    }

    /// Returns the reply to send; `nil` after a stream, which has sent its replies itself.
    private func computeReply(of call: Call, on connection: ServerConnection) async throws -> Reply? {
        switch try await service.handler(for: call, of: connection.peer) {
        case .reply(let handler):
            table.mark(connection, .answering)
            return try await handler(call, connection.peer)
        case .stream(let handler):
            table.mark(connection, .streaming)
            try await startStream(for: call, handler, on: connection)
            if connection.isAnswering { throw StreamEnd.withoutLastReply }
            return nil
        }
    }

    /// Runs the handler until it returns or the peer disconnects.
    private func startStream(
        for call: Call, _ handler: @escaping @Sendable (Call, ServerConnection) async throws -> Void,
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

/// The reason why a connection ends after its stream.
private enum StreamEnd: Error {
    case peerDisconnected
    case withoutLastReply
}

/// The rule for the peers that may connect, applied before a byte is read.
public struct PeerPolicy: Sendable {
    public let allows: @Sendable (Peer) -> Bool

    public init(allows: @escaping @Sendable (Peer) -> Bool) {
        self.allows = allows
    }

    /// Allows processes with the effective user ID of the server.
    public static let sameUser = PeerPolicy { $0.uid == geteuid() }
}

/// Limits for the resources that peers use.
public struct ServerLimits: Hashable, Sendable {
    /// The maximum number of connections. To accept another connection, the server closes the connection that
    /// has been idle longest.
    public var connections: Int
    /// The maximum number of connections of one process, so that no process can displace other processes;
    /// `nil` for no limit.
    public var connectionsOfProcess: Int?
    /// The limits of messages in both directions.
    public var message: MessageLimits
    /// The maximum time from the first to the last byte of a message, for calls and for replies that are not
    /// part of a stream.
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
    /// A peer was rejected before a byte was read.
    case foreignPeer(Peer)
    /// A connection was closed because its bytes were not a call.
    case badMessage(Peer, MessageError)
    /// A connection was closed because a message was incomplete or a reply was not read in time.
    case tooSlow(Peer)
    /// A connection was closed to accept another connection.
    case tableFull(Peer)
    /// A connection was closed to accept another connection of the same process.
    case processFull(Peer)
    /// No descriptor is available to accept a connection.
    case descriptorsExhausted
}
