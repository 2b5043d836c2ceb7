import Threads
import Varlink

/// One peer of a server: its socket, and where its conversation stands.
final class Connection: Sendable {
    let peer: Peer
    private let channel: Channel
    private let limits: Limits
    private let session: Locked<ServerSession>
    private let isSending = Locked(false)

    init(_ channel: Channel, peer: Peer, limits: Limits) {
        self.channel = channel
        self.peer = peer
        self.limits = limits
        session = Locked(ServerSession(limits: limits.message))
    }

    /// The next call, or nil when the peer has sent its last one. Reads no further than it must, so a
    /// peer that sends faster than it is answered waits in its own `send`.
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
            session.withLock { $0.receive(bytes) }
            // A peer that always has more would keep one of the few threads for itself.
            await Task.yield()
        }
    }

    /// Sends one reply to the current call. Only a stream may take as long as the peer likes.
    func answer(_ reply: Reply, patiently: Bool = false) async throws {
        guard claimSending() else { throw SocketFailure.inUse }
        defer { isSending.withLock { $0 = false } }
        let bytes = try session.withLock { session throws(ServerSession.Misuse) in try session.answer(reply) }
        do {
            try await channel.write(bytes, until: patiently ? nil : .now + limits.unfinishedMessage)
        } catch {
            // Half a reply may be out: the next one would be read as its rest.
            channel.cut()
            throw error
        }
    }

    /// Tells a peer whose bytes are no call that they are not.
    func refuse() async throws {
        try await channel.write(ServerSession.refusal, until: .now + limits.unfinishedMessage)
    }

    /// True until the last reply to the current call was given.
    var isAnswering: Bool { session.withLock { $0.isAnswering } }

    func hangUp() async throws { try await channel.hangUp() }

    func cut() { channel.cut() }

    /// Two replies at once would mix their bytes.
    private func claimSending() -> Bool {
        isSending.withLock { isSending in
            defer { isSending = true }
            return !isSending
        }
    }
}
