import CutieAPI
import Inbox
import Log
import Logging
import Store

/// Fetches the conversations that a list or an event names. One that cannot be fetched must not keep the others
/// from the person, nor the account from its events: it is remembered, also by the next run, and asked for again by
/// itself.
final class ConversationFetcher {
    /// A connection made anew may be to a server that is well again: so soon it is asked.
    private static let freshWait: Duration = .seconds(30)

    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let surroundings: Surroundings
    private let logger: Logger
    private(set) var unfetched = Unfetched()
    /// Moves when a conversation could not be fetched.
    private let failures = Signal()

    init(account: Account, client: APIClient, ingest: Ingest, surroundings: Surroundings, logger: Logger) {
        (self.account, self.client, self.ingest) = (account, client, ingest)
        (self.surroundings, self.logger) = (surroundings, logger)
    }

    /// What is to be asked for later stays so, however often a list shows it. Throws where the line is at fault.
    func fetch(listed: [Wanted]) async throws {
        let now = surroundings.uptime
        let resting = Set(listed.map(\.id).filter { unfetched.isResting($0, at: now) })
        try leave(listed.filter { resting.contains($0.id) })
        try await fetch(listed.filter { !resting.contains($0.id) }, judging: true)
    }

    /// Asks for conversations of which an event told something that may be older than what is here: right after
    /// the state was looked at, only the server knows. What cannot be fetched comes with the rest.
    func fetch(doubtful: [Conversation.ID]) async throws {
        let wanted = doubtful.map { Wanted($0, unfetched.entries[$0] ?? Unfetched.Entry(due: .zero)) }
        try await fetch(wanted, judging: false)
    }

    /// `listed`: as a list showed it. Events are taken while the answer is on its way: an answer from before them
    /// must not mark read what they brought, and is fetched again.
    func fetch(_ id: Conversation.ID, listed: Conversation? = nil, first: Bool = false) async throws {
        let first = first || unfetched.entries[id]?.isFirst == true
        let asked = try ingest.conversation(id, of: account.id)
        let fetched = try await client.send(.conversation(id))
        let isOvertaken = try ingest.conversation(id, of: account.id) != asked
        // Of a thread that a first sync left over, nothing tells what of it is old but its counts.
        if isOvertaken, first, try isSynced() { return }
        try ingest.accept(
            fetched: fetched, listed: listed ?? fetched, account: account.id, first: first,
            isOvertaken: isOvertaken)
        if !isOvertaken { try noteFetched(id) }
    }

    private func isSynced() throws -> Bool {
        try ingest.store.read { try $0.accounts.find(account.id)?.syncedAt } != nil
    }
}

/// Rounds of fetches.
extension ConversationFetcher {
    /// What a round bears before it leaves the rest to the next one.
    private struct Patience {
        /// A server that is ill as a whole gets no more requests than that at once.
        private static let mostFailures = 10
        /// What comes after the fetches, the events most of all, is not to wait for longer.
        private static let longest: Duration = .seconds(10)
        private(set) var failures = 0
        private var lost = Duration.zero

        var isOver: Bool { failures >= Self.mostFailures || lost >= Self.longest }

        mutating func fail(after duration: Duration) {
            failures += 1
            lost += duration
        }
    }

    /// Returns how many were fetched, and whether some were not asked for. `judging`: throws where the line is at
    /// fault.
    @discardableResult
    private func fetch(_ wanted: [Wanted], judging: Bool) async throws -> (fetched: Int, isCut: Bool) {
        var (patience, fetched) = (Patience(), 0)
        for (place, item) in wanted.enumerated() {
            let begun = surroundings.uptime
            guard !patience.isOver, unfetched.rest <= begun else {
                try leave(wanted[place...])
                return (fetched, true)
            }
            do {
                try await fetch(item)
                fetched += 1
            } catch APIFailure.retry(let reason, let floor, _) {
                // Where lists are answered it is of the one conversation; else nothing can be had now.
                if judging, floor == nil, patience.failures == 0 {
                    _ = try await client.list(limit: 1, offset: 0, etag: nil)
                }
                try put(off: item, because: reason, floor: floor)
                patience.fail(after: surroundings.uptime - begun)
            }
        }
        return (fetched, false)
    }

    private func fetch(_ item: Wanted) async throws {
        do {
            try await fetch(item.id, listed: item.listed, first: item.isFirst)
        } catch APIFailure.absent(let reason) {
            logger.info("a conversation is gone", metadata: ["reason": "\(reason)"])
            try ingest.lose(item.id, of: account.id)
            try noteFetched(item.id)
        } catch APIFailure.fatal(let reason, _) {
            try refuse(item, because: reason)
        } catch APIFailure.forbidden(let reason) {
            try refuse(item, because: reason)
        }
    }

    /// Asks again for what could not be fetched, until it is cancelled; sleeps while nothing is missing. Calls
    /// `onSynced` where something of a first sync came.
    func run(onSynced: () -> Void) async throws {
        unfetched.hasten(to: surroundings.uptime + Self.freshWait)
        var backoff = Backoff()
        var pause = Duration.zero
        while true {
            let seen = failures.count
            guard let due = unfetched.due else {
                backoff.reset()
                try await failures.wait(past: seen)
                continue
            }
            let wait = max(due - surroundings.uptime, pause)
            if wait > .zero { try await surroundings.wait(for: failures, past: seen, atMost: wait) }
            if failures.count != seen { continue }
            pause = try await fetchDue(at: max(due, surroundings.uptime), &backoff, onSynced)
        }
    }

    /// Returns how long to leave the server alone: where it gives nothing of much, less and less often.
    private func fetchDue(
        at now: Duration, _ backoff: inout Backoff, _ onSynced: () -> Void
    ) async throws -> Duration {
        let wanted = unfetched.due(at: now).compactMap { id in
            unfetched.entries[id].map { Wanted(id, $0) }
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
}

/// What could not be fetched.
extension ConversationFetcher {
    /// Of an earlier run.
    func recall() throws {
        guard !unfetched.isRecalled else { return }
        unfetched.recall(try ingest.store.read { try $0.unfetched.all(of: account.id) })
    }

    /// Remembers what was not fetched; what a list tells of it is known.
    private func leave(_ wanted: some Collection<Wanted>) throws {
        let new = wanted.filter { unfetched.entries[$0.id] == nil }
        if !new.isEmpty { try ingest.leave(new, of: account.id) }
        let now = surroundings.uptime
        for item in wanted {
            unfetched.add(item.id, listed: item.listed, isFirst: item.isFirst, at: now)
        }
        if !new.isEmpty { failures.notify() }
    }

    private func put(off item: Wanted, because reason: String, floor: Duration?) throws {
        try leave([item])
        tell(item.id, because: reason)
        let now = surroundings.uptime
        unfetched.fail(item.id, because: reason, at: now, random: surroundings.random())
        if let floor {
            var backoff = Backoff()
            unfetched.rest(until: now + backoff.next(random: surroundings.random(), floor: floor))
        }
    }

    private func refuse(_ item: Wanted, because reason: String) throws {
        try leave([item])
        tell(item.id, because: reason)
        unfetched.refuse(
            item.id, because: reason, at: surroundings.uptime, random: surroundings.random())
    }

    /// It is here, or nowhere.
    private func noteFetched(_ id: Conversation.ID) throws {
        guard unfetched.entries[id] != nil else { return }
        try ingest.noteFetched(id, of: account.id)
        unfetched.remove(id)
    }

    /// Once: it may be asked for again for days.
    private func tell(_ id: Conversation.ID, because reason: String) {
        guard unfetched.entries[id]?.failures == 0 else { return }
        logger.warning("a conversation cannot be fetched", metadata: ["reason": "\(reason)"])
    }
}

extension Wanted {
    fileprivate init(_ id: Conversation.ID, _ entry: Unfetched.Entry) {
        self.init(id, listed: entry.listed, isFirst: entry.isFirst)
    }
}
