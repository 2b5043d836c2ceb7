import CLinux
import Runtime
import Varlink

/// A server's connection: the socket and the session state.
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

    /// Waits for the next call; returns `nil` if the peer has closed its sending direction. Reads data only
    /// when needed, so a peer that sends calls faster than it reads replies is blocked by its own `send`.
    func receiveNextCall() async throws -> Call? {
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
            // Yield to the tasks of other peers, because this peer may send without a pause.
            await EventLoop.shared.yield()
        }
    }

    /// Sends a reply to the current call.
    ///
    /// - Parameter withoutTimeout: whether sending has no time limit; `true` for the replies of a stream.
    func sendReply(_ reply: Reply, withoutTimeout: Bool = false) async throws {
        guard reserveForSending() else { throw SocketFailure.inUse }
        defer { isSending.withLock { $0 = false } }
        let bytes = try session.withLock { session throws(ServerSession.Misuse) in
            try session.encodeReply(reply)
        }
        do {
            try await channel.write(bytes, until: withoutTimeout ? nil : .now + limits.unfinishedMessage)
        } catch {
            // Close the connection, because the peer may have received a part of this reply and would parse
            // the next reply as the remaining part.
            channel.shutDown()
            throw error
        }
    }

    /// Sends the error for an invalid message.
    func sendInvalidMessageError() async throws {
        try await channel.write(ServerSession.refusal, until: .now + limits.unfinishedMessage)
    }

    /// Whether the current call still needs a reply.
    var needsReply: Bool { session.withLock { $0.needsReply } }

    func waitForHangUp() async throws { try await channel.waitForHangUp() }

    func shutDown() { channel.shutDown() }

    /// Reserves the connection for sending a reply. Returns `false` if another reply is being sent, because
    /// the bytes of both replies would be mixed.
    private func reserveForSending() -> Bool {
        isSending.withLock { isSending in
            defer { isSending = true }
            return !isSending
        }
    }
}

/// The user and the process that opened a connection, at the time of connecting.
public struct Peer: Hashable, Sendable {
    public let uid: UInt32
    public let gid: UInt32
    public let pid: Int32
    /// The process that opened the connection; `nil` if the server does not identify processes.
    public let process: PeerProcess?

    public init(uid: UInt32, gid: UInt32, pid: Int32, process: PeerProcess? = nil) {
        (self.uid, self.gid, self.pid) = (uid, gid, pid)
        self.process = process
    }

    /// Reads the credentials of the peer from the kernel, so that the peer cannot forge them.
    init(of connection: borrowing Descriptor, identifyingProcess: Bool) throws(SocketFailure) {
        var credentials = clinux_peer_credentials()
        guard clinux_read_peer_credentials(connection.number, &credentials) == 0 else {
            throw .currentSystemError(in: "SO_PEERCRED")
        }
        let pid = credentials.pid
        self.init(
            uid: credentials.uid, gid: credentials.gid, pid: pid,
            process: identifyingProcess ? PeerProcess(of: connection, pid: pid) : nil)
    }
}

/// The open connections of a server. The table also selects the connection to close if there are too many
/// connections.
final class ServerConnectionTable: Sendable {
    /// The phase of a connection. If there are too many connections, idle connections are closed first, and
    /// streams last.
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

    /// Records the phase of a connection. Only complete calls change the phase, so a peer that sends an
    /// incomplete message stays idle.
    func setPhase(of connection: ServerConnection, to phase: Phase) {
        entries.withLock { entries in
            entries[ObjectIdentifier(connection)]?.phase = phase
            entries[ObjectIdentifier(connection)]?.since = .now
        }
    }

    /// Closes one connection if there are at least `limit` connections: the connection that has been idle
    /// longest, otherwise the connection with the oldest pending call, otherwise the oldest stream. Returns
    /// the peer of the closed connection.
    ///
    /// - Parameter pid: the process to which the limit applies; `nil` for all processes together.
    func closeIdlestConnectionIfAtLimit(_ limit: Int, ofProcess pid: Int32? = nil) -> Peer? {
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
