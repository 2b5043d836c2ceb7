import Config
package import CutieAPI
import EventLog
import FeedPolicy
import Logging
package import Reasons
import Store

/// Synchronizes the local state of one account with the server, by polls and events.
package final class Synchronizer {
    /// The size of the first page. A small page is sufficient to detect that nothing has changed; all further
    /// pages have the maximum size.
    private static let firstPageSize = 20
    private static let fullPageSize = 100
    /// The maximum number of polls in one synchronization.
    private static let maxPolls = 3

    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private let onSynced: () -> Void
    let inbox: InboxMembership
    let fetcher: ConversationFetcher
    /// The entity tag of the first page. Set only after all changes to the list were applied; otherwise, a
    /// 304 response would hide the missing changes.
    private var etag: String?
    /// The server's unread total that still differs from the local total after a complete poll; `nil` if the
    /// totals match. If the server repeats this total, no further poll is made.
    private var unmatchedTotal: Int?
    /// Whether the device has joined another shared inbox since the last poll. If so, the stored snapshots do
    /// not show which messages are new.
    private var belongsToOtherInbox = false

    init(
        account: Account, client: APIClient, ingest: Ingest, runtime: RuntimeEnvironment, logger: Logger,
        onSynced: @escaping () -> Void
    ) {
        (self.account, self.client, self.ingest) = (account, client, ingest)
        (self.runtime, self.logger, self.onSynced) = (runtime, logger, onSynced)
        inbox = InboxMembership(of: account, client: client, ingest: ingest, logger: logger)
        fetcher = ConversationFetcher(
            account: account, client: client, ingest: ingest, runtime: runtime, logger: logger)
    }

    /// The warning for the status about conversations that cannot be fetched; `nil` if all conversations can
    /// be fetched.
    package var warning: Reason? { fetcher.pendingFetches.warning }

    /// The remaining time of the server's Retry-After; not positive if requests are allowed.
    var remainingBackoff: Duration { fetcher.pendingFetches.backoffEnd - runtime.uptime }

    /// Polls the state, with a single small request if nothing has changed. `fetchesAll`: whether to fetch
    /// all conversations, including those that seem unchanged.
    func synchronize(fetchesAll: Bool = false) async throws {
        try await synchronize(fetchesAll: fetchesAll, maxPolls: Self.maxPolls)
    }

    /// Synchronizes a new shared inbox. Idempotent, because an event may report the same change again.
    func synchronizeNewInbox() async throws {
        belongsToOtherInbox = true
        try await synchronize()
    }

    /// Retries failed fetches until cancelled. Retries are needed because no later event may name the
    /// conversations again.
    func retryFailedFetches() async throws { try await fetcher.retryFailedFetches(onSynced: onSynced) }

    /// Handles a push payload: fetches the conversation that the payload names, or polls if the payload names
    /// no conversation. A message that also arrives as an event is stored only once.
    package func handlePayload(_ payload: PushPayload) async throws {
        guard let id = payload.conversation else { return try await synchronize() }
        try await fetcher.fetch(id)
    }

    private func synchronize(fetchesAll: Bool, maxPolls: Int) async throws {
        try fetcher.loadPendingFetches()
        let first = try ingest.store.read { try $0.accounts.find(account.id)?.syncedAt == nil }
        let fetchesAll = fetchesAll || first || belongsToOtherInbox
        guard let state = try await listConversations(includesUnchanged: fetchesAll) else {
            return ingest.recordPoll(of: account.id)
        }
        let listed = Set(state.changed.map(\.id))
        if let all = state.all, try await inbox.checkForRemoval(listedIDs: all) {
            return try await synchronize()
        }
        try await fetcher.fetchListedConversations(state.changed.map { FetchRequest($0, isFirst: first) })
        if fetchesAll { try await fetchUnreadConversations(exceptListed: listed) }
        let matchesServerTotal = try ingest.finishPoll(
            of: account.id, totalUnread: state.totalUnread, isFirstSync: first)
        etag = state.etag
        if fetchesAll { belongsToOtherInbox = false }
        if first { onSynced() }
        if matchesServerTotal { unmatchedTotal = nil }
        guard !matchesServerTotal, !fetchesAll, unmatchedTotal != state.totalUnread,
            fetcher.pendingFetches.isEmpty
        else {
            return
        }
        // A message may have arrived between the list and the fetches, so list again. The number of polls is
        // limited, because a conversation whose fetch is refused is always listed as changed.
        if !state.changed.isEmpty, maxPolls > 1 {
            return try await synchronize(fetchesAll: false, maxPolls: maxPolls - 1)
        }
        unmatchedTotal = state.totalUnread
        try await synchronize(fetchesAll: true)
    }

    /// Fetches conversations that are unread locally but were not listed: they may be deleted, or have moved
    /// from one page to another during the poll.
    private func fetchUnreadConversations(exceptListed listedIDs: Set<Conversation.ID>) async throws {
        let unread = try ingest.store.read {
            try $0.conversations.fetchAll(account: account.id, unreadOnly: true)
        }
        let unlisted = unread.map(\.conversation).filter { !listedIDs.contains($0.id) }
        try await fetcher.fetchListedConversations(unlisted.map { FetchRequest($0, isFirst: false) })
    }
}

// MARK: - Listing conversations

extension Synchronizer {
    private typealias State = (
        changed: [Conversation], all: Set<Conversation.ID>?, totalUnread: Int?, etag: String?
    )

    /// Returns the changed conversations, oldest change first, and the IDs of all conversations if they fit
    /// on one page. Returns `nil` if the server reports no change. `includesUnchanged`: whether to also
    /// return the conversations that seem unchanged.
    private func listConversations(includesUnchanged: Bool) async throws -> State? {
        var limit = includesUnchanged ? Self.fullPageSize : Self.firstPageSize
        let first = try await fetchFirstPage(limit: limit, etag: includesUnchanged ? nil : etag)
        guard var page = first.page else { return nil }
        var plan = PollPlan(fetchesAll: includesUnchanged, now: ingest.clocks.currentTime(of: account.id))
        let totalUnread = page.totalUnread
        let all = page.conversations.count < limit ? Set(page.conversations.map(\.id)) : nil
        var offset = 0
        while try plan.addPage(
            page.conversations, pageSize: limit, isUnchanged: makeUnchangedPredicate(for: page))
        {
            offset += page.conversations.count
            limit = Self.fullPageSize
            guard let next = try await client.listConversations(limit: limit, offset: offset, etag: nil).page
            else {
                break
            }
            page = next
        }
        return (plan.changed, all, totalUnread, first.etag)
    }

    /// Returns the first page of the list. Treats a 404 as temporary: all API versions have this endpoint, so
    /// the server is probably under maintenance.
    private func fetchFirstPage(limit: Int, etag: String?) async throws -> (
        page: ConversationPage?, etag: String?
    ) {
        do {
            return try await client.listConversations(limit: limit, offset: 0, etag: etag)
        } catch APIFailure.absent(let reason) {
            throw APIFailure.retry(reason, ambiguous: false)
        }
    }

    /// Lists a single conversation. Throws if listing fails.
    func checkListingWorks() async throws { _ = try await fetchFirstPage(limit: 1, etag: nil) }

    private func makeUnchangedPredicate(for page: ConversationPage) throws -> (Conversation) -> Bool {
        let marks = try ingest.store.read {
            try $0.conversations.fetchPollSnapshots(of: page.conversations.map(\.id), account: account.id)
        }
        let perspective = ingest.perspective(of: account.id)
        return { marks[$0.id] == PollSnapshot($0, seenBy: perspective) }
    }
}

// MARK: - Events

extension Synchronizer {
    /// Returns the stored cursor; `nil` if there is none. Without a cursor, a transport receives only new
    /// events, and a poll fetches the earlier changes.
    func readCursor() throws -> Event.ID? {
        try ingest.store.read { try $0.accounts.find(account.id)?.cursor }
    }

    func saveCursor(_ cursor: Event.ID?) throws { try ingest.saveCursor(cursor, of: account.id) }

    /// Applies events in order. Polls the state after a `reset` event, and if an event could not be decoded.
    func handleEvents(_ events: [Event], receivedOver transportKind: TransportKind) async throws {
        guard !events.isEmpty else { return }
        var remaining = events
        if let reset = events.lastIndex(where: \.payload.isReset) {
            try await applyReset(after: events[..<reset], receivedOver: transportKind)
            remaining.removeFirst(reset)
        }
        if ingest.isStoringSlices {
            try await ingest.waitUntilSlicesApplied(
                in: remaining.lazy.compactMap(\.payload.conversation), account: account.id)
        }
        let taken = try ingest.apply(remaining, to: account.id, receivedOver: transportKind)
        if !taken.lackingUserFacts.isEmpty { fetcher.scheduleUserFactFetches(for: taken.lackingUserFacts) }
        if !taken.needsRefetch.isEmpty { try await fetcher.refetchConversations(taken.needsRefetch) }
        if remaining.contains(where: { $0.payload.changesLinkedDevices }) {
            try await synchronizeNewInbox()
        }
        // Poll if a message could not be decoded, or the server's unread total differs from the local sum.
        if !taken.matchesServerTotal || events.contains(where: \.payload.isUnreadable) {
            try await synchronize()
        }
    }

    /// Fetches everything after a `reset`. `earlierEvents`: the events before the `reset`. These events are
    /// skipped, except changes to the shared inbox, because a poll does not report such changes.
    private func applyReset(after earlierEvents: ArraySlice<Event>, receivedOver transportKind: TransportKind)
        async throws
    {
        logger.notice("the server no longer knows the cursor; fetching everything again")
        let regrouping = earlierEvents.filter { $0.payload.changesLinkedDevices }
        if !regrouping.isEmpty { try ingest.apply(regrouping, to: account.id, receivedOver: transportKind) }
        try await synchronize(fetchesAll: true)
    }

    /// Handles the failure of a transport and returns the fault. Rethrows other errors. If the API
    /// is unavailable, the parallel poll reports the failure. If
    /// the API refuses the request permanently, discards the cursor.
    func handleFailure(_ failure: any Error) throws -> TransportSelector.Fault {
        switch failure {
        case let silence as StreamTimeout:
            return TransportSelector.Fault(silence.reason, isBufferedByProxy: true)
        case APIFailure.cancelled: throw CancellationError()
        case APIFailure.retry(let reason, let floor, _): return TransportSelector.Fault(reason, floor: floor)
        case APIFailure.fatal(let reason, _):
            // The server probably rejected the cursor. Discard the cursor: a poll fetches the changes of the
            // missed events.
            try saveCursor(nil)
            return TransportSelector.Fault(reason, isFinal: true)
        case let failure as APIFailure: return TransportSelector.Fault(failure.reason, isFinal: true)
        default: throw failure
        }
    }
}
