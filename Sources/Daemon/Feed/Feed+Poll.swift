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
}

extension Feed {
    /// The page that answers "anything new?" is small; a further one is as large as allowed.
    private static let firstPage = 20
    private static let fullPage = 100

    /// Poll as the only transport: takes the state, waits, takes it again.
    func followPolls() async throws -> Ending {
        while true {
            try await takeState()
            try connected()
            if let climb = ladder.nextClimb, climb <= surroundings.uptime { return .restart }
            try await surroundings.sleep(account.configuration.pollInterval)
        }
    }

    /// Makes what is here equal to what the server holds: one small request when nothing changed.
    /// `everything`: trusts no mark and fetches every conversation.
    func takeState(everything: Bool = false) async throws {
        let first = try ingest.store.read { try $0.account(account.id)?.syncedAt == nil }
        let everything = everything || first
        let known = sync.etag
        guard let (listed, totalUnread, etag) = try await list(everything: everything, etag: known) else {
            return
        }
        for conversation in listed { try await fetch(conversation, first: first) }
        let explained = try ingest.complete(account.id, totalUnread: totalUnread, first: first)
        sync.etag = etag
        if first { onSynced() }
        if !explained, !everything, sync.unexplained != totalUnread {
            sync.unexplained = totalUnread
            try await takeState(everything: true)
        }
    }

    /// The conversations that changed, oldest change first; nil where the server says that none did.
    private func list(
        everything: Bool, etag: String?
    ) async throws -> (changed: [Conversation], totalUnread: Int?, etag: String?)? {
        var plan = PollPlan(everything: everything)
        var limit = everything ? Self.fullPage : Self.firstPage
        let first = try await client.list(limit: limit, offset: 0, etag: everything ? nil : etag)
        guard var page = first.page else { return nil }
        let totalUnread = page.totalUnread
        var offset = 0
        while try plan.take(page.conversations, limit: limit, isUnchanged: unchanged(in: page)) {
            offset += page.conversations.count
            limit = Self.fullPage
            guard let next = try await client.list(limit: limit, offset: offset, etag: nil).page else {
                break
            }
            page = next
        }
        return (plan.changed, totalUnread, first.etag)
    }

    private func unchanged(in page: ConversationPage) throws -> (Conversation) -> Bool {
        let marks = try ingest.store.read {
            try $0.polledMarks(of: page.conversations.map(\.id), account: account.id)
        }
        return { marks[$0.id] == PolledMark($0) }
    }

    /// A conversation that went away between the list and this has nothing to tell.
    private func fetch(_ listed: Conversation, first: Bool) async throws {
        do {
            let fetched = try await client.send(.conversation(listed.id))
            try ingest.accept(fetched: fetched, listed: listed, account: account.id, first: first)
        } catch APIFailure.absent(let reason) {
            logger.info("a listed conversation is gone", metadata: ["reason": "\(reason)"])
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
