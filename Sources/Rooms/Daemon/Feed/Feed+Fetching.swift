import CutieAPI
import Inbox
import Logging
import Store

/// A conversation to fetch.
struct Wanted {
    let id: Conversation.ID
    /// As a list showed it; nil: an earlier run did.
    let listed: Conversation?
    /// What was read in it is no news.
    let isFirst: Bool

    init(_ listed: Conversation, isFirst: Bool) {
        (id, self.listed, self.isFirst) = (listed.id, listed, isFirst)
    }

    init(_ id: Conversation.ID, _ entry: Unfetched.Entry) {
        (self.id, listed, isFirst) = (id, entry.listed, entry.isFirst)
    }
}

/// What a round of fetches bears before it leaves the rest to the next one.
private struct Patience {
    /// A server that is ill as a whole gets no more requests than that at once.
    private static let mostFailures = 10
    /// What comes after the fetches, the events most of all, is not to wait for longer.
    private static let longest: Duration = .seconds(10)
    var failures = 0
    var lost = Duration.zero

    var isOver: Bool { failures >= Self.mostFailures || lost >= Self.longest }
}

extension Feed {
    /// What is to be asked for later stays so, however often a list shows it.
    func fetch(listed: [Wanted]) async throws {
        let now = surroundings.uptime
        let resting = Set(listed.map(\.id).filter { sync.unfetched.isResting($0, at: now) })
        try leave(listed.filter { resting.contains($0.id) })
        try await fetch(listed.filter { !resting.contains($0.id) }, judging: true)
    }

    /// Asks for conversations of which an event told something that may be older than what is here: right after
    /// the state was looked at, only the server knows. What cannot be fetched comes with the rest.
    func ask(about doubtful: [Conversation.ID]) async throws {
        let wanted = doubtful.map { Wanted($0, sync.unfetched.entries[$0] ?? Unfetched.Entry(due: .zero)) }
        try await fetch(wanted, judging: false)
    }

    /// One conversation that cannot be fetched must not keep the others from the person, nor the account from
    /// its events: it is remembered, and asked for again by itself. Returns how many were fetched, and whether
    /// some were not asked for. `judging`: throws where the line is at fault.
    @discardableResult
    func fetch(_ wanted: [Wanted], judging: Bool) async throws -> (fetched: Int, isCut: Bool) {
        var (patience, fetched) = (Patience(), 0)
        for (place, item) in wanted.enumerated() {
            let begun = surroundings.uptime
            guard !patience.isOver, sync.unfetched.rest <= begun else {
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
                patience.failures += 1
                patience.lost += surroundings.uptime - begun
            }
        }
        return (fetched, false)
    }

    private func fetch(_ item: Wanted) async throws {
        do {
            try await take(item.id, listed: item.listed, first: item.isFirst)
        } catch APIFailure.absent(let reason) {
            logger.info("a conversation is gone", metadata: ["reason": "\(reason)"])
            try ingest.lose(item.id, of: account.id)
            try settle(item.id)
        } catch APIFailure.fatal(let reason, _) {
            try refuse(item, because: reason)
        } catch APIFailure.forbidden(let reason) {
            try refuse(item, because: reason)
        }
    }

    /// Fetches a conversation. `listed`: as a list showed it. Events are taken while the answer is on its way:
    /// an answer from before them must not mark read what they brought, and is fetched again.
    func take(_ id: Conversation.ID, listed: Conversation? = nil, first: Bool = false) async throws {
        let first = first || sync.unfetched.entries[id]?.isFirst == true
        let asked = try ingest.conversation(id, of: account.id)
        let fetched = try await client.send(.conversation(id))
        let isOvertaken = try ingest.conversation(id, of: account.id) != asked
        // Of a thread that a first sync left over, nothing tells what of it is old but its counts.
        if isOvertaken, first, try isSynced() { return }
        try ingest.accept(
            fetched: fetched, listed: listed ?? fetched, account: account.id, first: first,
            isOvertaken: isOvertaken)
        if !isOvertaken { try settle(id) }
    }

    private func isSynced() throws -> Bool {
        try ingest.store.read { try $0.account(account.id)?.syncedAt } != nil
    }
}
