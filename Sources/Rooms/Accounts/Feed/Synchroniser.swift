package import CutieAPI
import Inbox
import Log
import Logging
import Store

/// Makes what is here equal to what the server holds, for one account: by poll, and by what its events tell.
package final class Synchroniser {
    /// The page that answers "anything new?" is small; a further one is as large as allowed.
    private static let firstPage = 20
    private static let fullPage = 100
    /// So often what changed is looked for in a poll.
    private static let mostLooks = 3

    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let surroundings: Surroundings
    private let logger: Logger
    private let onSynced: () -> Void
    let inbox: InboxMembership
    let fetcher: ConversationFetcher
    /// Of the first page, as it was when all it told was taken.
    private var etag: String?
    /// A server's total that even a poll of everything did not explain: it is not asked about it again.
    private var unexplained: Int?
    /// The device shares another inbox than at the last poll: no mark of that one tells what is new here.
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

    /// What the status says of what cannot be fetched.
    package var warning: String? { fetcher.unfetched.warning }

    /// The server wants to be left alone for so long.
    var rest: Duration { fetcher.unfetched.rest - surroundings.uptime }

    /// One small request when nothing changed. `everything`: trusts no mark and fetches every conversation.
    func synchronise(everything: Bool = false) async throws {
        try await synchronise(everything: everything, looks: Self.mostLooks)
    }

    /// The device shares another inbox than before. Where events tell of that, too, what comes twice has no second
    /// effect.
    func synchroniseNewInbox() async throws {
        isOfAnotherInbox = true
        try await synchronise()
    }

    /// Asks again, until it is cancelled, for what could not be fetched: no event may ever tell of it.
    func fetchMissing() async throws { try await fetcher.run(onSynced: onSynced) }

    /// Takes what a push told of: one conversation, or what changed where it does not say which. By the usual
    /// way, so that nothing comes twice.
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
        // Something may have come between the list and the fetches: one more look is a small request. Not
        // without end: what is refused is listed as changed each time.
        if !state.changed.isEmpty, looks > 1 {
            return try await synchronise(everything: false, looks: looks - 1)
        }
        unexplained = state.totalUnread
        try await synchronise(everything: true)
    }

    /// What is unread here and was not listed may be gone, or have moved between two pages: it is asked for.
    private func fetchUnlisted(besides listed: Set<Conversation.ID>) async throws {
        let unread = try ingest.store.read { try $0.conversations.all(account: account.id, unreadOnly: true) }
        let unlisted = unread.map(\.conversation).filter { !listed.contains($0.id) }
        try await fetcher.fetch(listed: unlisted.map { Wanted($0, isFirst: false) })
    }
}

/// The list.
extension Synchroniser {
    private typealias State = (
        changed: [Conversation], all: Set<Conversation.ID>?, totalUnread: Int?, etag: String?
    )

    /// The conversations that changed, oldest change first, and all where they fit on one page; nil where the
    /// server says that none changed.
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

    /// Every server has this: one that says otherwise is being put right.
    private func firstPage(limit: Int, etag: String?) async throws -> (page: ConversationPage?, etag: String?)
    {
        do {
            return try await client.list(limit: limit, offset: 0, etag: etag)
        } catch APIFailure.absent(let reason) {
            throw APIFailure.retry(reason, ambiguous: false)
        }
    }

    /// Throws where conversations are not listed.
    func checkListing() async throws { _ = try await firstPage(limit: 1, etag: nil) }

    private func unchanged(in page: ConversationPage) throws -> (Conversation) -> Bool {
        let marks = try ingest.store.read {
            try $0.conversations.polledMarks(of: page.conversations.map(\.id), account: account.id)
        }
        let perspective = ingest.perspective(of: account.id)
        return { marks[$0.id] == PolledMark($0, seenBy: perspective) }
    }
}

/// The events.
extension Synchroniser {
    /// Where the events go on from; nil: from "now", after a poll.
    func cursor() throws -> Event.ID? {
        try ingest.store.read { try $0.accounts.find(account.id)?.cursor }
    }

    func keep(cursor: Event.ID?) throws { try ingest.keep(cursor: cursor, of: account.id) }

    /// Accepts events in order. After a `reset`, and where a message could not be read, the state is polled.
    func accept(_ events: [Event], by rung: Rung) async throws {
        guard !events.isEmpty else { return }
        let rest = try await startOver(with: events, by: rung)
        let taken = try ingest.accept(Array(rest), from: account.id, by: rung)
        if !taken.doubtful.isEmpty { try await fetcher.fetch(doubtful: taken.doubtful) }
        if rest.contains(where: { $0.payload.changesTheGroup }) { try await synchroniseNewInbox() }
        // A message that could not be read, or a total that is not the sum of what is here.
        if !taken.isExplained || events.contains(where: \.payload.isUnreadable) {
            try await synchronise()
        }
    }

    /// Polls everything where there is a `reset`, and returns the events from the last one on. Of those before
    /// it only whose inbox this is matters: no poll tells that.
    private func startOver(with events: [Event], by rung: Rung) async throws -> ArraySlice<Event> {
        guard let reset = events.lastIndex(where: { $0.payload == .reset }) else { return events[...] }
        logger.notice("the server has forgotten our place; taking everything again")
        let regrouping = events[..<reset].filter { $0.payload.changesTheGroup }
        if !regrouping.isEmpty { try ingest.accept(regrouping, from: account.id, by: rung) }
        try await synchronise(everything: true)
        return events[reset...]
    }

    /// What keeps events from coming by a transport. What is the API's as a whole is found by the poll beside it.
    func fault(of failure: any Error) throws -> Ladder.Fault {
        switch failure {
        case let silence as HeldBack: return Ladder.Fault(silence.sentence, isHeldBack: true)
        case APIFailure.cancelled: throw CancellationError()
        case APIFailure.retry(let reason, let floor, _): return Ladder.Fault(reason, floor: floor)
        case APIFailure.fatal(let reason, _):
            // The server may not understand where we were; a poll finds what happened since.
            try keep(cursor: nil)
            return Ladder.Fault(reason, isFinal: true)
        case let failure as APIFailure: return Ladder.Fault(failure.sentence, isFinal: true)
        default: throw failure
        }
    }
}
