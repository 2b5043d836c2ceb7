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
                if let stored = try self.stored(id) { return stored }
                try await self.ended.passed(seen)
            }
        }
    }

    /// Of an earlier life, or remembered no more: what is not in the outbox any more was sent.
    private func stored(_ id: String) throws -> Outbox.Outcome? {
        try store.read { transaction in
            guard let item = try transaction.outboxItem(id) else {
                let sent = try transaction.sent(id)
                return .sent(sent?.conversation, sent?.message)
            }
            return item.state == .failed ? .failed(.fatal(item.error ?? "it was refused")) : nil
        }
    }

    func isAwaited(_ id: String) -> Bool { awaited[id] != nil }

    func forget(_ id: String) { outcomes.removeAll { $0.id == id } }

    func add(_ outcome: Outbox.Outcome, of id: String) {
        outcomes = outcomes.suffix(63) + [(id, outcome)]
        ended.advance()
    }
}
