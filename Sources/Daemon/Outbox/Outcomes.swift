import Store

/// How items of the outbox ended, whichever unit of their account sent them: a reload puts another one in its
/// place while somebody waits.
final class Outcomes {
    private let store: Store
    private let surroundings: Surroundings
    private let ended = Head()
    private var outcomes: [(id: String, outcome: Outbox.Outcome)] = []
    /// Who waits for an outcome tells the person of it.
    private var awaited: [String: Int] = [:]

    init(store: Store, surroundings: Surroundings) {
        (self.store, self.surroundings) = (store, surroundings)
    }

    /// How the item ended; nil where it still waits after `limit`.
    func outcome(of id: String, within limit: Duration) async throws -> Outbox.Outcome? {
        awaited[id, default: 0] += 1
        defer { awaited[id] = awaited[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        return try await surroundings.within(limit) {
            while true {
                let seen = self.ended.value
                if let ended = self.outcomes.last(where: { $0.id == id }) { return ended.outcome }
                // Remembered no more: what is not in the outbox any more was sent.
                if try self.store.read({ try $0.outboxItem(id) }) == nil { return .sent(nil, nil) }
                try await self.ended.passed(seen)
            }
        }
    }

    func isAwaited(_ id: String) -> Bool { awaited[id] != nil }

    func forget(_ id: String) { outcomes.removeAll { $0.id == id } }

    func add(_ outcome: Outbox.Outcome, of id: String) {
        outcomes = outcomes.suffix(63) + [(id, outcome)]
        ended.advance()
    }
}
