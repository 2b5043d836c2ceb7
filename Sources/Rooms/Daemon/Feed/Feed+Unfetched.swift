import CutieAPI
import Inbox
import Logging
import Store

/// What could not be fetched: remembered, also by the next run, and asked for again.
extension Feed {
    /// Follows events until `body` ends, and asks again meanwhile for what could not be fetched: no event may
    /// ever tell of it.
    func fetchingTheRest(_ body: @escaping @MainActor () async throws -> Ending) async throws -> Ending {
        // So soon after a connection was made anew, also where it was put off for longer.
        sync.unfetched.hasten(to: surroundings.uptime + .seconds(30))
        return try await race(body) { try await self.fetchTheRest() } ?? .restart
    }

    /// Sleeps while nothing is missing.
    private func fetchTheRest() async throws {
        var backoff = Backoff()
        var pause = Duration.zero
        while true {
            let seen = unfetched.value
            guard let due = sync.unfetched.due else {
                backoff.reset()
                try await unfetched.passed(seen)
                continue
            }
            let now = surroundings.uptime
            let wait = max(due - now, pause)
            if wait > .zero { try await surroundings.wait(for: unfetched, past: seen, atMost: wait) }
            if unfetched.value != seen { continue }
            pause = try await askAgain(at: max(due, surroundings.uptime), &backoff)
        }
    }

    /// Returns how long to leave the server alone: where it gives nothing of much, less and less often.
    private func askAgain(at now: Duration, _ backoff: inout Backoff) async throws -> Duration {
        let wanted = sync.unfetched.due(at: now).compactMap { id in
            sync.unfetched.entries[id].map { Wanted(id, $0) }
        }
        do {
            // The connection it goes beside is judged by others.
            let round = try await fetch(wanted, judging: false)
            if round.fetched > 0 {
                backoff.reset()
                if wanted.contains(where: \.isFirst) { onSynced() }
            } else if round.isCut {
                return backoff.next(random: surroundings.random())
            }
            return .zero
        } catch APIFailure.retry(let reason, let floor, _) {
            // The events come all the same.
            logger.info("what is missing comes later", metadata: ["reason": "\(reason)"])
            return backoff.next(random: surroundings.random(), floor: floor)
        }
    }

    /// What an earlier run could not fetch.
    func recallUnfetched() throws {
        guard !sync.unfetched.isRecalled else { return }
        sync.unfetched.recall(try ingest.store.read { try $0.unfetched(of: account.id) })
    }

    /// Remembers what was not fetched; what a list tells of it is known.
    func leave(_ wanted: some Collection<Wanted>) throws {
        let new = wanted.filter { sync.unfetched.entries[$0.id] == nil }
        if !new.isEmpty { try ingest.leave(new, of: account.id) }
        let now = surroundings.uptime
        for item in wanted {
            sync.unfetched.add(item.id, listed: item.listed, isFirst: item.isFirst, at: now)
        }
        if !new.isEmpty { unfetched.advance() }
    }

    func put(off item: Wanted, because reason: String, floor: Duration?) throws {
        try leave([item])
        tell(item.id, because: reason)
        let now = surroundings.uptime
        sync.unfetched.fail(item.id, because: reason, at: now, random: surroundings.random())
        if let floor {
            var backoff = Backoff()
            sync.unfetched.rest(until: now + backoff.next(random: surroundings.random(), floor: floor))
        }
    }

    func refuse(_ item: Wanted, because reason: String) throws {
        try leave([item])
        tell(item.id, because: reason)
        sync.unfetched.refuse(
            item.id, because: reason, at: surroundings.uptime, random: surroundings.random())
    }

    /// It is here, or nowhere.
    func settle(_ id: Conversation.ID) throws {
        guard sync.unfetched.entries[id] != nil else { return }
        try ingest.store.write { try $0.forgetUnfetched(id, account: account.id) }
        sync.unfetched.remove(id)
    }

    /// Once: it may be asked for again for days.
    private func tell(_ id: Conversation.ID, because reason: String) {
        guard sync.unfetched.entries[id]?.failures == 0 else { return }
        logger.warning("a conversation cannot be fetched", metadata: ["reason": "\(reason)"])
    }
}
