import Accounts
import Config
import ControlAPI
import CutieAPI
import EventLog
import FeedPolicy
import Store
import TextSearch
import VarlinkSocket

/// The handlers for stored conversations and messages. They work offline and mark nothing as read.
struct ConversationMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let presence: PresenceCheck
    private var store: MessageStore { ingest.store }

    var implementation: Implementation {
        Implementation().on(listConversations).on(shown(getConversation)).on(shown(search)).on(shown(explain))
    }

    /// Requires the user's presence at this desktop before texts are returned.
    private func shown<Call: ControlMethod>(
        _ handler: @escaping @MainActor @Sendable (Call) async throws -> Call.Reply
    ) -> @MainActor @Sendable (Call) async throws -> Call.Reply {
        { call in
            try await presence.require(.preview)
            return try await handler(call)
        }
    }

    func listConversations(_ call: ListConversations) async throws -> ListConversations.Reply {
        let limit = try rows(call.limit)
        let chosen = try accounts.accountsInBadge(call.account)
        let names = names(of: chosen)
        let (call, showsTexts) = (call, presence.showsTexts)
        let view = try call.view.map { try inboxView($0) }
        let admins = admins(of: chosen)
        var reply = try await read(few: view == nil ? limit : nil) { transaction in
            try Self.list(call, names, showsTexts: showsTexts, in: transaction) { record, conversation in
                guard let view else { return true }
                return admins[record.account].map { view.contains(conversation, me: $0) } ?? false
            }
        }
        let shares = try BadgeShares(of: store, conversations: call.badges == true)
        reply.badge = BadgeView(of: chosen, in: ingest, shares)
        return reply
    }

    private nonisolated static func list(
        _ call: ListConversations, _ names: [AccountID: String], showsTexts: Bool,
        in transaction: Transaction, where isWanted: (ConversationRecord, ConversationView) -> Bool
    ) throws -> ListConversations.Reply {
        let limit = call.view == nil ? call.limit : nil
        let records = try names.keys.flatMap {
            try transaction.conversations.all(
                account: $0, unreadOnly: call.unread == true, mutedOnly: call.muted == true,
                limit: min(limit ?? .max, ReplySizeBudget.maxConversations + 1))
        }
        let newest = records.sorted { $0.sortedAt > $1.sortedAt }.prefix(limit ?? .max)
        var budget = ReplySizeBudget()
        var conversations: [ConversationView] = []
        for record in newest {
            var view = ConversationView(record, account: names[record.account] ?? "")
            guard isWanted(record, view) else { continue }
            if let most = call.limit, conversations.count >= most { break }
            // The window requests the list at its start, without an action by the user, so texts are removed
            // instead of requesting presence.
            if !showsTexts { view.lastMessage = nil }
            guard let view = budget.fit(view) else { break }
            conversations.append(view)
        }
        return ListConversations.Reply(
            conversations: conversations, badge: BadgeView(), cut: budget.isCut ? true : nil)
    }

    private func inboxView(_ name: String) throws -> InboxView {
        guard let view = InboxView(rawValue: name) else {
            let known = InboxView.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidArgument(parameter: "view", reason: "\(name) is not one of \(known)")
        }
        return view
    }

    /// Returns the user's ID at the service for each account of support staff; `nil` before the sign-in.
    private func admins(of units: [AccountUnit]) -> [AccountID: String?] {
        var admins: [AccountID: String?] = [:]
        for account in units.map(\.account.id) {
            if case .staff(let staff) = accounts.perspective(of: account) {
                admins.updateValue(staff.adminID, forKey: account)
            }
        }
        return admins
    }

    /// Reads directly if few rows are requested, and otherwise in a long read, so that notifications are not
    /// delayed.
    private func read<Result: Sendable>(
        few limit: Int?, _ body: @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
        if let limit, limit <= Self.fewRows { return try store.read(body) }
        return try await store.longRead(body)
    }

    /// The maximum number of rows for a direct read, which takes about 1 ms.
    private static let fewRows = 200

    private func rows(_ limit: Int?) throws -> Int? {
        if let limit, limit < 1 {
            throw InvalidArgument(parameter: "limit", reason: "it must be at least 1")
        }
        return limit
    }

    private func names(of units: [AccountUnit]) -> [AccountID: String] {
        Dictionary(units.map { ($0.account.id, $0.account.name) }) { first, _ in first }
    }

    func getConversation(_ call: GetConversation) async throws -> GetConversation.Reply {
        let limit = try rows(call.limit)
        let unit = try accounts.holding(call.conversation, named: call.account)
        let (id, account, name) = (Conversation.ID(call.conversation), unit.account.id, unit.account.name)
        let perspective = accounts.perspective(of: account)
        return try await read(few: limit) { transaction in
            guard let record = try transaction.conversations.find(id, account: account) else {
                throw NotFound(what: "conversation", id: id.rawValue)
            }
            var budget = ReplySizeBudget()
            var newestFirst: [MessageView] = []
            try transaction.messages.read(in: id, account: account, limit: limit) { record in
                let message = budget.fit(MessageView(record, account: name, seenBy: perspective))
                newestFirst += message.map { [$0] } ?? []
                return message != nil
            }
            return GetConversation.Reply(
                conversation: ConversationView(record, account: name),
                messages: newestFirst.reversed(), cut: budget.isCut ? true : nil)
        }
    }

    func search(_ call: Search) async throws -> Search.Reply {
        let account = try call.account.map { try accounts.single($0).account.id }
        let limit = try searchLimit(call)
        guard let query = SearchQuery(call.words) else { return Search.Reply(messages: []) }
        // The messages of accounts that share an inbox with another account count towards the limit of the
        // store.
        let seconds = account == nil ? Set(ingest.inboxes.accountsCountedElsewhere) : []
        let shown = names(of: accounts.units).filter { !seconds.contains($0.key) }
        let perspectives = Dictionary(
            uniqueKeysWithValues: shown.keys.map { ($0, accounts.perspective(of: $0)) })
        let found = try await store.search(
            query, account: account, limit: limit * (1 + seconds.count),
            into: SearchResultCollector(query, limit: limit)
        ) { results, record in
            guard let name = shown[record.account], let perspective = perspectives[record.account] else {
                return true
            }
            return results.add(MessageView(record, account: name, seenBy: perspective))
        }
        var reply = found.result.reply
        if found.isCut { reply.cut = true }
        reply.indexing = try store.indexingProgress() == nil ? nil : true
        return reply
    }

    /// The maximum number of search results. They are sorted in memory.
    private static let maxResults = 1000

    private func searchLimit(_ call: Search) throws -> Int {
        guard call.words.split(whereSeparator: \.isWhitespace).count <= SearchQuery.maximumWords else {
            let reason = "there are more than \(SearchQuery.maximumWords); use fewer words"
            throw InvalidArgument(parameter: "words", reason: reason)
        }
        let limit = try rows(call.limit) ?? 50
        guard limit <= Self.maxResults else {
            throw InvalidArgument(parameter: "limit", reason: "it must be at most \(Self.maxResults)")
        }
        return limit
    }

    func explain(_ call: Explain) throws -> Explain.Reply {
        let (unit, record) = try accounts.message(
            call.message, in: call.conversation, named: call.account)
        let (id, thread) = (record.message.id, record.message.conversation)
        return try store.read { transaction in
            let steps = try transaction.ledger.steps(of: id, in: thread, account: unit.account.id)
                .map(LedgerStep.init(_:))
            var budget = ReplySizeBudget(beside: steps.reduce(0) { $0 + ($1.detail?.jsonSize ?? 4) + 80 })
            let perspective = accounts.perspective(of: unit.account.id)
            let message = budget.fit(
                MessageView(record, account: unit.account.name, seenBy: perspective))
            return Explain.Reply(message: message, steps: steps, cut: budget.isCut ? true : nil)
        }
    }
}

/// The reply of a search, to which messages are added one by one.
private nonisolated struct SearchResultCollector {
    private(set) var budget: ReplySizeBudget
    var reply = Search.Reply(messages: [])
    private let query: SearchQuery
    private let limit: Int

    private static let matchesPerMessage = 20
    private static let matchSize = 64

    init(_ query: SearchQuery, limit: Int) {
        (self.query, self.limit) = (query, limit)
        budget = ReplySizeBudget(beside: limit * Self.matchesPerMessage * Self.matchSize)
    }

    /// Adds a message. Returns whether another one fits.
    mutating func add(_ message: MessageView) -> Bool {
        let fitting = budget.fit(message)
        reply.cut = budget.isCut ? true : nil
        guard let fitting else { return false }
        let index = reply.messages.count
        let matches = query.ranges(in: fitting.message, limit: Self.matchesPerMessage)
            .map { Search.Match(message: index, start: $0.lowerBound, length: $0.count) }
        if !matches.isEmpty { reply.matches = (reply.matches ?? []) + matches }
        reply.messages.append(fitting)
        return reply.messages.count < limit
    }
}

nonisolated extension ConversationView {
    init(_ record: ConversationRecord, account: String) {
        let conversation = record.conversation
        self.init(
            account: account, conversationId: conversation.id.rawValue, status: conversation.status.rawValue,
            title: conversation.title, category: conversation.category?.rawValue,
            priority: conversation.priority?.rawValue, appName: conversation.appName,
            messageCount: conversation.messageCount, unreadCount: record.unread, badge: record.badge,
            lastMessage: record.lastMessage, lastMessageAt: record.lastMessageAt?.milliseconds,
            createdAt: conversation.createdAt?.milliseconds,
            updatedAt: conversation.updatedAt?.milliseconds)
        (customerId, userId, userName) = (conversation.customerID, conversation.userID, conversation.userName)
        (deviceId, assignedAdminId) = (conversation.deviceID?.rawValue, conversation.assignedAdminID)
        appId = conversation.appID
        muted = record.marks.isMuted ? true : nil
        markedUnread = record.marks.isUnread ? true : nil
        tags = conversation.tags?.map(TagView.init(_:))
    }
}

extension LedgerStep {
    init(_ entry: LedgerEntry) {
        let detail = entry.detail ?? ""
        let words: String? =
            switch entry.reason {
            case .answered: Self.answered
            case .notShown: Self.notShown + detail
            case .summary: Self.summary + ", " + detail
            case nil: entry.detail
            }
        self.init(at: entry.at.milliseconds, stage: entry.stage.rawValue, detail: words)
    }
}

nonisolated extension MessageView {
    init(_ record: MessageRecord, account: String, seenBy perspective: Perspective) {
        let message = record.message
        self.init(
            account: account, messageId: message.id.rawValue, conversationId: message.conversation.rawValue,
            senderType: message.senderType.rawValue, senderId: message.senderID,
            senderName: message.senderName.map { DisplayName.cleaned($0) },
            senderAvatarUrl: message.senderAvatarURL, message: message.text,
            messageType: message.type, own: perspective.isOwn(message),
            isInternalNote: record.isNote ? true : nil, createdAt: message.createdAt.milliseconds)
    }
}
