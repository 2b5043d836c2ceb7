import Config
import CutieAPI
import Inbox
import Logging
import Store

/// What a feed remembers between two polls.
struct SyncState {
    /// Of the first page, as it was when all it told was taken.
    var etag: String?
    /// A server's total that even a poll of everything did not explain: it is not asked about it again.
    var unexplained: Int?
    var unfetched = Unfetched()
    /// The device shares another inbox than at the last poll: no mark of that one tells what is new here.
    var isOfAnotherInbox = false
}

extension Feed {
    /// The page that answers "anything new?" is small; a further one is as large as allowed.
    private static let firstPage = 20
    private static let fullPage = 100
    /// So often what changed is looked for in a poll.
    private static let mostLooks = 3

    /// Makes what is here equal to what the server holds: one small request when nothing changed.
    /// `everything`: trusts no mark and fetches every conversation.
    func takeState(everything: Bool = false) async throws {
        try await takeState(everything: everything, looks: Self.mostLooks)
    }

    private func takeState(everything: Bool, looks: Int) async throws {
        try recallUnfetched()
        let first = try ingest.store.read { try $0.account(account.id)?.syncedAt == nil }
        let everything = everything || first || sync.isOfAnotherInbox
        guard let state = try await list(everything: everything, etag: sync.etag) else {
            return ingest.noteLook(at: account.id)
        }
        let listed = Set(state.changed.map(\.id))
        if let all = state.all, try await noticeRemoval(whenListed: all) { return try await takeState() }
        try await fetch(listed: state.changed.map { Wanted($0, isFirst: first) })
        if everything { try await lookForTheGone(besides: listed) }
        let explained = try ingest.complete(account.id, totalUnread: state.totalUnread, first: first)
        sync.etag = state.etag
        if everything { sync.isOfAnotherInbox = false }
        if first { onSynced() }
        if explained { sync.unexplained = nil }
        guard !explained, !everything, sync.unexplained != state.totalUnread, sync.unfetched.isEmpty else {
            return
        }
        // Something may have come between the list and the fetches: one more look is a small request. Not
        // without end: what is refused is listed as changed each time.
        if !state.changed.isEmpty, looks > 1 {
            return try await takeState(everything: false, looks: looks - 1)
        }
        sync.unexplained = state.totalUnread
        try await takeState(everything: true)
    }

    private typealias State = (
        changed: [Conversation], all: Set<Conversation.ID>?, totalUnread: Int?, etag: String?
    )

    /// The conversations that changed, oldest change first, and all where they fit on one page; nil where the
    /// server says that none changed.
    private func list(everything: Bool, etag: String?) async throws -> State? {
        var limit = everything ? Self.fullPage : Self.firstPage
        let first = try await firstPage(limit: limit, etag: everything ? nil : etag)
        guard var page = first.page else { return nil }
        var plan = PollPlan(
            everything: everything, now: ingest.clocks.now(of: account.id))
        let totalUnread = page.totalUnread
        let all = page.conversations.count < limit ? Set(page.conversations.map(\.id)) : nil
        var offset = 0
        while try plan.take(page.conversations, limit: limit, isUnchanged: unchanged(in: page)) {
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

    private func unchanged(in page: ConversationPage) throws -> (Conversation) -> Bool {
        let marks = try ingest.store.read {
            try $0.polledMarks(of: page.conversations.map(\.id), account: account.id)
        }
        return { marks[$0.id] == PolledMark($0) }
    }

    /// What is unread here and was not listed may be gone, or have moved between two pages: it is asked for.
    private func lookForTheGone(besides listed: Set<Conversation.ID>) async throws {
        let unread = try ingest.store.read { try $0.conversations(account: account.id, unreadOnly: true) }
        let gone = unread.map(\.conversation).filter { !listed.contains($0.id) }
        try await fetch(listed: gone.map { Wanted($0, isFirst: false) })
    }
}

extension PolledMark {
    /// A conversation as a list shows it.
    init(_ listed: Conversation) {
        self.init(
            updatedAt: listed.updatedAt, unreadCount: listed.unreadCount, messageCount: listed.messageCount)
    }
}
