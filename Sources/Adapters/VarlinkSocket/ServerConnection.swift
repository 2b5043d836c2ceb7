import CLinux
import Runtime
import Varlink

/// A connection of a server: the socket and the state of the session.
final class ServerConnection: Sendable {
    let peer: Peer
    private let channel: Channel
    private let limits: ServerLimits
    private let session: Locked<ServerSession>
    private let isSending = Locked(false)

    init(_ channel: Channel, peer: Peer, limits: ServerLimits) {
        self.channel = channel
        self.peer = peer
        self.limits = limits
        session = Locked(ServerSession(limits: limits.message))
    }

    /// Returns the next call; `nil` after the peer's last call. Reads no more than needed, so that a peer
    /// that sends faster than it receives replies blocks in its own `send`.
    func nextCall() async throws -> Call? {
        var deadline: ContinuousClock.Instant?
        while true {
            let (call, isInside) = try session.withLock { session throws(MessageError) in
                (try session.nextCall(), session.isInsideMessage)
            }
            if let call { return call }
            if isInside, deadline == nil { deadline = .now + limits.unfinishedMessage }
            let bytes = try await channel.read(until: deadline)
            if bytes.isEmpty { return nil }
            session.withLock { $0.receiveBytes(bytes) }
            // Let the tasks of other peers run, because this peer may always have more data.
            await EventLoop.shared.yield()
        }
    }

    /// Sends a reply to the current call.
    ///
    /// - Parameter withoutTimeout: whether the time for sending is unlimited; only for streams.
    func answer(_ reply: Reply, withoutTimeout: Bool = false) async throws {
        guard claimSending() else { throw SocketFailure.inUse }
        defer { isSending.withLock { $0 = false } }
        let bytes = try session.withLock { session throws(ServerSession.Misuse) in try session.answer(reply) }
        do {
            try await channel.write(bytes, until: withoutTimeout ? nil : .now + limits.unfinishedMessage)
        } catch {
            // A part of the reply may have been sent, so the peer would read the next reply as the rest of
            // this reply.
            channel.shutDown()
            throw error
        }
    }

    /// Sends an error for bytes that are not a call.
    func refuseConnection() async throws {
        try await channel.write(ServerSession.refusal, until: .now + limits.unfinishedMessage)
    }

    /// Whether the last reply to the current call is pending.
    var isAnswering: Bool { session.withLock { $0.isAnswering } }

    func waitForHangUp() async throws { try await channel.waitForHangUp() }

    func shutDown() { channel.shutDown() }

    /// Returns `false` if a reply is being sent, because the bytes of concurrent replies would be mixed.
    private func claimSending() -> Bool {
        isSending.withLock { isSending in
            defer { isSending = true }
            return !isSending
        }
    }
}

/// The user and process at the other end of a connection, as of the time of connecting.
public struct Peer: Hashable, Sendable {
    public let uid: UInt32
    public let gid: UInt32
    public let pid: Int32
    /// The process; `nil` if the server does not identify processes.
    public let process: PeerProcess?

    public init(uid: UInt32, gid: UInt32, pid: Int32, process: PeerProcess? = nil) {
        (self.uid, self.gid, self.pid) = (uid, gid, pid)
        self.process = process
    }

    /// Reads the credentials from the kernel. The peer cannot influence the credentials.
    init(of connection: borrowing Descriptor, identifyingProcess: Bool) throws(SocketFailure) {
        var credentials = clinux_peer_credentials()
        guard clinux_read_peer_credentials(connection.number, &credentials) == 0 else {
            throw .system("SO_PEERCRED")
        }
        let pid = credentials.pid
        self.init(
            uid: credentials.uid, gid: credentials.gid, pid: pid,
            process: identifyingProcess ? PeerProcess(of: connection, pid: pid) : nil)
    }
}

/// The connections of a server, in the order in which they are closed if there are too many.
final class ServerConnectionTable: Sendable {
    /// The phases, in the order in which connections are closed.
    enum Phase: Int, Comparable {
        case idle, answering, streaming

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Entry {
        let connection: ServerConnection
        var phase = Phase.idle
        var since = ContinuousClock.now
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    func add(_ connection: ServerConnection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
    }

    func remove(_ connection: ServerConnection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    /// Records the phase of a connection. Incomplete messages do not count as activity, so a peer that sends
    /// single bytes is idle.
    func mark(_ connection: ServerConnection, _ phase: Phase) {
        entries.withLock { entries in
            entries[ObjectIdentifier(connection)]?.phase = phase
            entries[ObjectIdentifier(connection)]?.since = .now
        }
    }

    /// If there are at least `limit` connections, closes one of them: the connection that has been idle
    /// longest; if none is idle, the one with the oldest pending call; otherwise, the oldest stream. Returns
    /// its peer.
    ///
    /// - Parameter pid: the process whose connections are counted and closed; `nil` for all processes.
    func closeIdleConnections(limit: Int, of pid: Int32? = nil) -> Peer? {
        let victim = entries.withLock { entries -> ServerConnection? in
            guard entries.count >= limit else { return nil }
            let concerned = entries.filter { pid == nil || $0.value.connection.peer.pid == pid }
            guard concerned.count >= limit else { return nil }
            let oldest = concerned.min { ($0.value.phase, $0.value.since) < ($1.value.phase, $1.value.since) }
            return oldest.flatMap { entries.removeValue(forKey: $0.key)?.connection }
        }
        victim?.shutDown()
        return victim?.peer
    }
}
