import Glibc
import Threads
public import Varlink

/// Serves interfaces on a Unix socket. A second socket with fewer powers is one more value.
public final class Server: Sendable {
    /// The one that comes next.
    private let listener: Locked<ListeningSocket?>
    /// The descriptor of the one that peers are taken from.
    private let accepting = Locked<Int32?>(nil)
    let router: Router
    private let peerPolicy: PeerPolicy
    let limits: Limits
    let fault: @Sendable (any Error) -> any Fault
    let notice: @Sendable (Notice) -> Void
    let table = ConnectionTable()

    /// `fault` answers for what handlers throw that is no `Fault`; `notice` hears what is worth a line in
    /// the log. The interfaces of `information` are filled in. Throws only where two of the parts do not
    /// fit together.
    public init(
        listener: consuming ListeningSocket, information: ServiceInterface.GetInfo.Reply,
        implementations: [Implementation], peerPolicy: PeerPolicy = .sameUser, limits: Limits = Limits(),
        fault: @escaping @Sendable (any Error) -> any Fault,
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws {
        self.listener = Locked(listener)
        router = try Router(information: information, implementations: implementations)
        self.peerPolicy = peerPolicy
        self.limits = limits
        self.fault = fault
        self.notice = notice
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
        guard let peer = try? Peer(of: descriptor) else { return nil }
        guard peerPolicy.allows(peer) else {
            notice(.foreignPeer(peer))
            return nil
        }
        if let dropped = table.makeRoom(limit: limits.connections) { notice(.tableFull(dropped)) }
        let connection = Connection(Channel(descriptor), peer: peer, limits: limits)
        table.add(connection)
        return connection
    }
}
