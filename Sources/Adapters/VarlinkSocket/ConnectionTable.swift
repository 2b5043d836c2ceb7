import Threads

/// The connections of a server, and which one can be missed most.
final class ConnectionTable: Sendable {
    /// In the order in which they are given up.
    enum Phase: Int, Comparable {
        case idle, answering, streaming

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Entry {
        let connection: Connection
        var phase = Phase.idle
        var since = ContinuousClock.now
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    func add(_ connection: Connection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
    }

    func remove(_ connection: Connection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    /// Bytes that are no whole call do not count: a peer that trickles is idle.
    func mark(_ connection: Connection, _ phase: Phase) {
        entries.withLock { entries in
            entries[ObjectIdentifier(connection)]?.phase = phase
            entries[ObjectIdentifier(connection)]?.since = .now
        }
    }

    /// Closes the connection that has been idle longest when there are `limit` or more; a stream only
    /// where there is nothing else.
    func makeRoom(limit: Int) -> Peer? {
        let victim = entries.withLock { entries -> Connection? in
            guard entries.count >= limit else { return nil }
            let oldest = entries.min { ($0.value.phase, $0.value.since) < ($1.value.phase, $1.value.since) }
            return oldest.flatMap { entries.removeValue(forKey: $0.key)?.connection }
        }
        victim?.cut()
        return victim?.peer
    }
}
