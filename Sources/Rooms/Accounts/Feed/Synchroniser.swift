package import CutieAPI
import Inbox
import Log
import Logging
import Store

/// Synchronizes the local state of one account with the server, by polls and by events.
package final class Synchroniser {
    /// A small page suffices to find out that nothing changed; further pages have the maximum size.
    private static let firstPage = 20
    private static let fullPage = 100
    /// The maximum number of passes of one poll.
    private static let mostLooks = 3

    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let surroundings: Surroundings
    private let logger: Logger
    private let onSynced: () -> Void
    let inbox: InboxMembership
    let fetcher: ConversationFetcher
    /// The entity tag of the first page, stored after all its changes were applied.
    private var etag: String?
    /// The server's unread total that even a complete poll did not explain; it causes no further poll.
    private var unexplained: Int?
    /// Whether the device has moved to another shared inbox since the last poll. The stored marks then do not
    /// show which messages are new.
    private var isOfAnotherInbox = false

    init(
        account: Account, client: APIClient, ingest: Ingest, surroundings: Surroundings, logger: Logger,
        onSynced: @escaping () -> Void
    ) {
        (self.account, self.client, self.ingest) = (account, client, ingest)
        (self.surroundings, self.logger, self.onSynced) = (surroundings, logger, onSynced)
        inbox = InboxMembership(of: account, client: client, ingest: ingest, logger: logger)
        fetcher = ConversationFetcher(
            account: account, client: client, ingest: ingest, surroundings: surroundings, logger: logger)
    }

    /// The warning in the status about conversations that cannot be fetched.
    package var warning: String? { fetcher.unfetched.warning }

    /// The remaining time for which the server asked not to be called.
    var rest: Duration { fetcher.unfetched.rest - surroundings.uptime }

    /// Polls the state; one small request if nothing changed. `everything`: ignores all marks and fetches
    /// each conversation.
    func synchronise(everything: Bool = false) async throws {
        try await synchronise(everything: everything, looks: Self.mostLooks)
    }

    /// Synchronizes a new shared inbox. Idempotent, as events may report the change, too.
    func synchroniseNewInbox() async throws {
        isOfAnotherInbox = true
        try await synchronise()
    }

    /// Retries failed fetches until cancelled: there may be no further event for them.
    func fetchMissing() async throws { try await fetcher.run(onSynced: onSynced) }

    /// Handles a push: fetches its conversation, or polls if it names none. Uses the same path as events, so
    /// that no message is stored twice.
    package func accept(_ payload: PushPayload) async throws {
        guard let id = payload.conversation else { return try await synchronise() }
        try await fetcher.fetch(id)
    }

    private func synchronise(everything: Bool, looks: Int) async throws {
        try fetcher.recall()
        let first = try ingest.store.read { try $0.accounts.find(account.id)?.syncedAt == nil }
        let everything = everything || first || isOfAnotherInbox
        guard let state = try await list(everything: everything) else {
            return ingest.noteLook(at: account.id)
        }
        let listed = Set(state.changed.map(\.id))
        if let all = state.all, try await inbox.noticeRemoval(whenListed: all) {
            return try await synchronise()
        }
        try await fetcher.fetch(listed: state.changed.map { Wanted($0, isFirst: first) })
        if everything { try await fetchUnlisted(besides: listed) }
        let isExplained = try ingest.complete(account.id, totalUnread: state.totalUnread, first: first)
        etag = state.etag
        if everything { isOfAnotherInbox = false }
        if first { onSynced() }
        if isExplained { unexplained = nil }
        guard !isExplained, !everything, unexplained != state.totalUnread, fetcher.unfetched.isEmpty else {
            return
        }
        // A message may have arrived between the list and the fetches: another pass is a small request. The
        // number of passes is limited, as a refused conversation is listed as changed each time.
        if !state.changed.isEmpty, looks > 1 {
            return try await synchronise(everything: false, looks: looks - 1)
        }
        unexplained = state.totalUnread
        try await synchronise(everything: true)
    }

    /// Fetches conversations that are unread locally and were not listed: they may be deleted, or have moved
    /// from one page to another.
    private func fetchUnlisted(besides listed: Set<Conversation.ID>) async throws {
        let unread = try ingest.store.read { try $0.conversations.all(account: account.id, unreadOnly: true) }
        let unlisted = unread.map(\.conversation).filter { !listed.contains($0.id) }
        try await fetcher.fetch(listed: unlisted.map { Wanted($0, isFirst: false) })
    }
}

/// The list of conversations.
extension Synchroniser {
    private typealias State = (
        changed: [Conversation], all: Set<Conversation.ID>?, totalUnread: Int?, etag: String?
    )

    /// Returns the changed conversations, oldest change first, and all of them if they fit on one page; `nil`
    /// if the server reports no change.
    private func list(everything: Bool) async throws -> State? {
        var limit = everything ? Self.fullPage : Self.firstPage
        let first = try await firstPage(limit: limit, etag: everything ? nil : etag)
        guard var page = first.page else { return nil }
        var plan = PollPlan(everything: everything, now: ingest.clocks.now(of: account.id))
        let totalUnread = page.totalUnread
        let all = page.conversations.count < limit ? Set(page.conversations.map(\.id)) : nil
        var offset = 0
        while try plan.add(page.conversations, limit: limit, isUnchanged: unchanged(in: page)) {
            offset += page.conversations.count
            limit = Self.fullPage
            guard let next = try await client.list(limit: limit, offset: offset, etag: nil).page else {
                break
            }
            page = next
        }
        return (plan.changed, all, totalUnread, first.etag)
    }

    /// Each server has this endpoint: one that reports otherwise is probably under maintenance.
    private func firstPage(limit: Int, etag: String?) async throws -> (page: ConversationPage?, etag: String?)
    {
        do {
            return try await client.list(limit: limit, offset: 0, etag: etag)
        } catch APIFailure.absent(let reason) {
            throw APIFailure.retry(reason, ambiguous: false)
        }
    }

    /// Throws if conversations cannot be listed.
    func checkListing() async throws { _ = try await firstPage(limit: 1, etag: nil) }

    private func unchanged(in page: ConversationPage) throws -> (Conversation) -> Bool {
        let marks = try ingest.store.read {
            try $0.conversations.polledMarks(of: page.conversations.map(\.id), account: account.id)
        }
        let perspective = ingest.perspective(of: account.id)
        return { marks[$0.id] == PolledMark($0, seenBy: perspective) }
    }
}

/// Events.
extension Synchroniser {
    /// Returns the cursor for the next events; `nil` to start at the present, after a poll.
    func cursor() throws -> Event.ID? {
        try ingest.store.read { try $0.accounts.find(account.id)?.cursor }
    }

    func keep(cursor: Event.ID?) throws { try ingest.keep(cursor: cursor, of: account.id) }

    /// Applies events in order. Polls the state after a `reset`, and if a message could not be read.
    func accept(_ events: [Event], by rung: Rung) async throws {
        guard !events.isEmpty else { return }
        let rest = try await startOver(with: events, by: rung)
        let taken = try ingest.accept(Array(rest), from: account.id, by: rung)
        if !taken.doubtful.isEmpty { try await fetcher.fetch(doubtful: taken.doubtful) }
        if rest.contains(where: { $0.payload.changesTheGroup }) { try await synchroniseNewInbox() }
        // A message could not be read, or the server's total differs from the local sum.
        if !taken.isExplained || events.contains(where: \.payload.isUnreadable) {
            try await synchronise()
        }
    }

    /// Polls everything if there is a `reset`, and returns the events from the last one on. Of the events
    /// before it, only changes of the shared inbox are applied: a poll does not report them.
    private func startOver(with events: [Event], by rung: Rung) async throws -> ArraySlice<Event> {
        guard let reset = events.lastIndex(where: { $0.payload == .reset }) else { return events[...] }
        logger.notice("the server no longer knows the cursor; fetching everything again")
        let regrouping = events[..<reset].filter { $0.payload.changesTheGroup }
        if !regrouping.isEmpty { try ingest.accept(regrouping, from: account.id, by: rung) }
        try await synchronise(everything: true)
        return events[reset...]
    }

    /// Returns the fault of a transport. A failure of the API as a whole is found by the parallel poll.
    func fault(of failure: any Error) throws -> Ladder.Fault {
        switch failure {
        case let silence as HeldBack: return Ladder.Fault(silence.sentence, isHeldBack: true)
        case APIFailure.cancelled: throw CancellationError()
        case APIFailure.retry(let reason, let floor, _): return Ladder.Fault(reason, floor: floor)
        case APIFailure.fatal(let reason, _):
            // The server may not understand the cursor; a poll finds the events since then.
            try keep(cursor: nil)
            return Ladder.Fault(reason, isFinal: true)
        case let failure as APIFailure: return Ladder.Fault(failure.sentence, isFinal: true)
        default: throw failure
        }
    }
}
