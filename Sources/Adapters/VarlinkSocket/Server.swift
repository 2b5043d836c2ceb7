import Glibc
import Threads
public import Varlink

/// A service on a Unix socket. A second socket with fewer powers is one more value.
public final class Server: Sendable {
    /// The one that comes next.
    private let listener: Locked<ListeningSocket?>
    /// The descriptor of the one that peers are taken from.
    private let accepting = Locked<Int32?>(nil)
    private let service: Service
    private let peerPolicy: PeerPolicy
    private let knowsProcesses: Bool
    let limits: ServerLimits
    private let notice: @Sendable (ServerEvent) -> Void
    private let table = ConnectionTable()

    /// `knowsProcesses`: a `Peer` then tells of its process. `notice` hears what is worth a line in the log.
    public init(
        listener: consuming ListeningSocket, service: Service, peerPolicy: PeerPolicy = .sameUser,
        knowsProcesses: Bool = false, limits: ServerLimits = ServerLimits(),
        notice: @escaping @Sendable (ServerEvent) -> Void = { _ in }
    ) {
        self.listener = Locked(listener)
        (self.service, self.peerPolicy, self.knowsProcesses) = (service, peerPolicy, knowsProcesses)
        (self.limits, self.notice) = (limits, notice)
    }

    /// Accepts until the task is cancelled; then the handlers are cancelled, the connections and the
    /// socket closed, and it returns. Throws `SocketFailure`. It can run once.
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
                    guard let connection = try await arrival(at: listener) else { continue }
                    group.addTask { await self.serve(connection) }
                }
            }
        } catch is CancellationError {}
    }

    /// Takes its peers from another socket from now on; the one before closes, and who is connected stays.
    public func move(to next: consuming ListeningSocket) {
        var next: ListeningSocket? = next
        listener.withLock { swap(&$0, &next) }
        // Whoever waits for a peer there looks again. Nobody else closes the descriptor meanwhile.
        accepting.withLock { number in if let number { shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// The next peer that may connect, or nil when it is time to look again.
    private func arrival(at listener: borrowing ListeningSocket) async throws -> Connection? {
        switch try listener.accept() {
        case .connection(let descriptor):
            return admit(descriptor)
        case .nobody:
            _ = try await EventLoop.shared.wait(for: .readable, of: listener.descriptor.number)
        case .exhausted:
            notice(.descriptorsExhausted)
            if let peer = table.makeRoom(limit: 1) { notice(.tableFull(peer)) }
            // The waiting peer keeps the socket readable: without the pause this loop would spin.
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        }
        return nil
    }

    private func admit(_ descriptor: consuming Descriptor) -> Connection? {
        guard let peer = try? Peer(of: descriptor, knowingProcess: knowsProcesses) else { return nil }
        guard peerPolicy.allows(peer) else {
            notice(.foreignPeer(peer))
            return nil
        }
        if let limit = limits.connectionsOfProcess,
            let dropped = table.makeRoom(limit: limit, of: peer.pid)
        {
            notice(.processFull(dropped))
        }
        if let dropped = table.makeRoom(limit: limits.connections) { notice(.tableFull(dropped)) }
        let connection = Connection(Channel(descriptor), peer: peer, limits: limits)
        table.add(connection)
        return connection
    }

    /// Answers one peer until it goes; what goes wrong with it ends nothing else.
    private func serve(_ connection: Connection) async {
        defer { table.remove(connection) }
        do {
            while let call = try await connection.nextCall() {
                try await answer(call, on: connection)
                table.mark(connection, .idle)
                await EventLoop.shared.yield()
            }
        } catch let error as MessageError {
            notice(.badMessage(connection.peer, error))
            try? await connection.refuse()
        } catch SocketFailure.timedOut {
            notice(.tooSlow(connection.peer))
        } catch {}
    }

    private func answer(_ call: Call, on connection: Connection) async throws {
        let reply: Reply?
        do { reply = try await result(of: call, on: connection) } catch let end as StreamEnd {
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

    /// The reply that is still to be sent; nil after a stream, which has sent its own.
    private func result(of call: Call, on connection: Connection) async throws -> Reply? {
        switch try await service.handler(for: call, of: connection.peer) {
        case .reply(let handler):
            table.mark(connection, .answering)
            return try await handler(call, connection.peer)
        case .stream(let handler):
            table.mark(connection, .streaming)
            try await stream(call, handler, on: connection)
            if connection.isAnswering { throw StreamEnd.withoutLastReply }
            return nil
        }
    }

    /// Runs the handler until it ends or the peer goes, whichever comes first.
    private func stream(
        _ call: Call, _ handler: @escaping @Sendable (Call, Connection) async throws -> Void,
        on connection: Connection
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do { try await handler(call, connection) } catch is CancellationError {
                    throw StreamEnd.peerGone
                }
            }
            group.addTask {
                try await connection.hangUp()
                throw StreamEnd.peerGone
            }
            try await group.next()
        }
    }
}

/// Why a connection ends with its stream.
private enum StreamEnd: Error {
    case peerGone
    case withoutLastReply
}

/// Who may connect, decided before the first byte is read.
public struct PeerPolicy: Sendable {
    public let allows: @Sendable (Peer) -> Bool

    public init(allows: @escaping @Sendable (Peer) -> Bool) {
        self.allows = allows
    }

    /// Processes of the server's own effective user.
    public static let sameUser = PeerPolicy { $0.uid == geteuid() }
}

/// What the peers of a server may cost it.
public struct ServerLimits: Hashable, Sendable {
    /// When one more comes, the connection that has been idle longest goes.
    public var connections: Int
    /// The same among those of one process, so that none can take the others' place; nil: as many as there are.
    public var connectionsOfProcess: Int?
    /// For what comes and for what goes.
    public var message: MessageLimits
    /// From the first byte of a message to its last, of calls and of replies that are no stream.
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

/// Something a server did to a peer that is worth a line in the log.
public enum ServerEvent: Sendable {
    /// Closed before the first byte was read.
    case foreignPeer(Peer)
    /// Closed because its bytes were no call.
    case badMessage(Peer, MessageError)
    /// Closed because it left a message unfinished, or a reply unread.
    case tooSlow(Peer)
    /// Closed to make room for another.
    case tableFull(Peer)
    /// Closed to make room for another one of the same process.
    case processFull(Peer)
    /// No descriptors are left to accept with.
    case descriptorsExhausted
}
