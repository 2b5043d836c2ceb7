import Config
import CutieAPI
import Inbox
import Logging
import Store

/// What a feed remembers between two polls.
struct SyncState {
    /// Of the first page, as it was when all it told was taken.
    var etag: String?
    /// The newest change that a poll has seen: totals of older events are history.
    var newest = Timestamp.epoch
    /// A server's total that even a poll of everything did not explain: it is not asked about it again.
    var unexplained: Int?
    /// How often in a row each conversation could not be fetched.
    var failures: [Conversation.ID: Int] = [:]
    /// The device shares another inbox than at the last poll: no mark of that one tells what is new here.
    var isOfAnotherInbox = false
}

extension Feed {
    /// The page that answers "anything new?" is small; a further one is as large as allowed.
    private static let firstPage = 20
    private static let fullPage = 100
    /// So often what changed is looked for in a poll.
    private static let mostLooks = 3
    /// So many failing conversations may be a server's; more are the line's.
    private static let bearable = 3
    /// After so many polls a failing conversation is left out: the others are not to wait for it for ever.
    private static let mostFailures = 6

    /// Makes what is here equal to what the server holds: one small request when nothing changed.
    /// `everything`: trusts no mark and fetches every conversation.
    func takeState(everything: Bool = false) async throws {
        try await takeState(everything: everything, looks: Self.mostLooks)
    }

    private func takeState(everything: Bool, looks: Int) async throws {
        let first = try ingest.store.read { try $0.account(account.id)?.syncedAt == nil }
        let everything = everything || first || sync.isOfAnotherInbox
        guard let state = try await list(everything: everything, etag: sync.etag) else { return }
        let listed = Set(state.changed.map(\.id))
        // One that is gone, or was taken meanwhile, would be looked for for ever.
        sync.failures = sync.failures.filter { listed.contains($0.key) }
        if let all = state.all, try await noticeRemoval(whenListed: all) { return try await takeState() }
        try await fetch(state.changed, first: first)
        if everything { try await lookForTheGone(besides: listed) }
        let explained = try ingest.complete(account.id, totalUnread: state.totalUnread, first: first)
        // With it an unchanged list would hide what is still to be fetched.
        sync.etag = sync.failures.isEmpty ? state.etag : nil
        sync.newest = state.changed.compactMap(\.updatedAt).max() ?? sync.newest
        if everything { sync.isOfAnotherInbox = false }
        if first { onSynced() }
        if explained { sync.unexplained = nil }
        guard !explained, !everything, sync.unexplained != state.totalUnread else { return }
        // Something may have come between the list and the fetches: one more look is a small request. Not
        // without end: what cannot be fetched is listed as changed each time.
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
        var plan = PollPlan(everything: everything, missing: Set(sync.failures.keys))
        var limit = everything ? Self.fullPage : Self.firstPage
        let first = try await firstPage(limit: limit, etag: everything ? nil : etag)
        guard var page = first.page else { return nil }
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

    /// One conversation that cannot be fetched must not keep the others from the person. Tells at the end,
    /// so that it is looked at again.
    private func fetch(_ changed: [Conversation], first: Bool) async throws {
        var failures: [APIFailure] = []
        for listed in changed {
            do {
                try await fetch(listed, first: first)
                sync.failures[listed.id] = nil
            } catch let failure as APIFailure {
                guard case .retry(_, let floor, _) = failure, failures.count < Self.bearable else {
                    throw failure
                }
                sync.failures[listed.id, default: 0] += 1
                unfetched.advance()
                if sync.failures[listed.id, default: 0] < Self.mostFailures {
                    // It wants to be left alone, not to be asked for the next one.
                    if floor != nil { throw failure }
                    failures.append(failure)
                } else {
                    tellUnfetched(because: failure.sentence)
                }
            }
        }
        if let failure = failures.first { throw failure }
    }

    private func fetch(_ listed: Conversation, first: Bool) async throws {
        do {
            try await take(listed.id, listed: listed, first: first)
        } catch APIFailure.absent(let reason) {
            logger.info("a conversation is gone", metadata: ["reason": "\(reason)"])
            try ingest.lose(listed.id, of: account.id)
        } catch APIFailure.fatal(let reason, _) {
            tellUnfetched(because: reason)
        } catch APIFailure.forbidden(let reason) {
            tellUnfetched(because: reason)
        }
    }

    /// Fetches a conversation. `listed`: as a list showed it. Events are taken while the answer is on its way:
    /// an answer from before them must not mark read what they brought.
    func take(_ id: Conversation.ID, listed: Conversation? = nil, first: Bool = false) async throws {
        let asked = try ingest.conversation(id, of: account.id)
        let fetched = try await client.send(.conversation(id))
        try ingest.accept(
            fetched: fetched, listed: listed ?? fetched, account: account.id, first: first,
            isOvertaken: try ingest.conversation(id, of: account.id) != asked)
    }

    private func tellUnfetched(because reason: String) {
        logger.warning("a conversation cannot be fetched", metadata: ["reason": "\(reason)"])
    }

    /// What is unread here and was not listed may be gone, or have moved between two pages: it is asked for.
    private func lookForTheGone(besides listed: Set<Conversation.ID>) async throws {
        let unread = try ingest.store.read { try $0.conversations(account: account.id, unreadOnly: true) }
        for record in unread where !listed.contains(record.conversation.id) {
            try await fetch(record.conversation, first: false)
        }
    }
}

extension PolledMark {
    /// A conversation as a list shows it.
    init(_ listed: Conversation) {
        self.init(
            updatedAt: listed.updatedAt, unreadCount: listed.unreadCount, messageCount: listed.messageCount)
    }
}
