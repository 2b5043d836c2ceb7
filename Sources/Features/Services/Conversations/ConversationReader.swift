package import Accounts
import Config
import CutieAPI
package import Domain
package import EventLog
import FeedPolicy
import Reasons
package import Store
import TextSearch

/// Reads stored conversations and messages. Works offline and does not mark messages as read.
package struct ConversationReader {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let presence: PresenceCheck
    private var store: MessageStore { ingest.store }

    package init(ingest: Ingest, accounts: AccountRegistry, presence: PresenceCheck) {
        (self.ingest, self.accounts, self.presence) = (ingest, accounts, presence)
    }

    /// A part of the stored data that fits in a response.
    package nonisolated struct Part<Item: Sendable>: Sendable {
        package let items: [Item]
        /// Whether items were omitted or truncated.
        package let isTruncated: Bool
    }

    /// A conversation with its messages, oldest first.
    package nonisolated struct Thread: Sendable {
        package let conversation: ConversationItem
        package let messages: Part<MessageItem>
    }

    /// Requires that the user is present at this desktop. Call before returning message text.
    package func requirePresence() async throws { try await presence.requirePresence(for: .preview) }

    /// A filter for conversations.
    package nonisolated struct Filter: Sendable {
        let account: String?
        let isUnread: Bool
        let isMuted: Bool
        let isSnoozed: Bool
        let view: InboxView?

        package init(
            account: String?, isUnread: Bool = false, isMuted: Bool = false, isSnoozed: Bool = false,
            view: InboxView? = nil
        ) {
            (self.account, self.isUnread, self.isMuted) = (account, isUnread, isMuted)
            (self.isSnoozed, self.view) = (isSnoozed, view)
        }
    }

    /// Returns the most recent conversations. Omits their last messages unless the user's presence is
    /// confirmed, because the window requests the list on launch, without an action by the user.
    package func listConversations(
        matching selection: Filter, limit: Int?
    ) async throws -> Part<ConversationItem> {
        let limit = try checkedLimit(limit)
        let chosen = try accounts.findAccountsInBadge(named: selection.account)
        let (names, admins, showsTexts) = (names(of: chosen), adminIDs(of: chosen), presence.showsTexts)
        // The filter of a view is applied after the rows are read, so the number of rows to read is unknown.
        // Without a limit, `readRows` uses a long read.
        return try await readRows(limit: selection.view == nil ? limit : nil) { transaction in
            try Self.readList(
                matching: selection, accountNames: names, admins: admins, limit: limit,
                showsTexts: showsTexts,
                in: transaction)
        }
    }

    private nonisolated static func readList(
        matching selection: Filter, accountNames: [AccountID: String], admins: [AccountID: String?],
        limit: Int?,
        showsTexts: Bool, in transaction: Transaction
    ) throws -> Part<ConversationItem> {
        let rows = selection.view == nil ? limit ?? .max : .max
        let records = try accountNames.keys.flatMap {
            try transaction.conversations.fetchAll(
                account: $0, unreadOnly: selection.isUnread, mutedOnly: selection.isMuted,
                snoozedOnly: selection.isSnoozed, limit: min(rows, ReplySizeBudget.maxConversations + 1))
        }
        var room = ReplySizeBudget()
        var items: [ConversationItem] = []
        for record in records.sorted(by: { $0.sortedAt > $1.sortedAt }).prefix(rows)
        where isIncluded(record, in: selection.view, admins: admins) {
            if let limit, items.count >= limit { break }
            var item = ConversationItem(record, account: accountNames[record.account] ?? "")
            if !showsTexts { item.record.lastMessage = nil }
            guard let item = room.reserveSpace(for: item) else { break }
            items.append(item)
        }
        return Part(items: items, isTruncated: room.isTruncated)
    }

    private nonisolated static func isIncluded(
        _ record: ConversationRecord, in view: InboxView?, admins: [AccountID: String?]
    ) -> Bool {
        guard let view else { return true }
        guard let admin = admins[record.account] else { return false }
        let conversation = record.conversation
        return view.containsConversation(
            status: conversation.status.rawValue, lastSender: record.lastSender?.rawValue,
            isSnoozed: record.marks.snoozedUntil != nil, assignee: conversation.assignedAdminID,
            ownAdminID: admin)
    }

    /// Returns the signed-in user's admin ID for each support account; `nil` if no user has signed in.
    private func adminIDs(of units: [AccountUnit]) -> [AccountID: String?] {
        var admins: [AccountID: String?] = [:]
        for account in units.map(\.account.id) {
            if case .staff(let staff) = accounts.perspective(of: account) {
                admins.updateValue(staff.adminID, forKey: account)
            }
        }
        return admins
    }

    /// Reads directly if few rows are requested, otherwise in a long read, so that notifications are not
    /// delayed.
    private func readRows<Result: Sendable>(
        limit: Int?, _ body: @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
        if let limit, limit <= Self.fewRows { return try store.read(body) }
        return try await store.runLongRead(body)
    }

    /// The maximum number of rows for a direct read, which takes about 1 ms.
    private static let fewRows = 200

    private func checkedLimit(_ limit: Int?) throws -> Int? {
        if let limit, limit < 1 {
            throw ServiceError.invalidArgument(
                parameter: "limit", reason: Reason(.valueTooSmall, ["least": "1"]))
        }
        return limit
    }

    private func names(of units: [AccountUnit]) -> [AccountID: String] {
        Dictionary(units.map { ($0.account.id, $0.account.name) }) { first, _ in first }
    }

    /// Returns a conversation with its newest messages.
    package func readThread(_ conversation: String, account: String?, limit: Int?) async throws -> Thread {
        let limit = try checkedLimit(limit)
        let unit = try accounts.findAccount(withConversation: conversation, named: account)
        let (id, account, name) = (Conversation.ID(conversation), unit.account.id, unit.account.name)
        let perspective = accounts.perspective(of: account)
        return try await readRows(limit: limit) { transaction in
            guard let record = try transaction.conversations.find(id, account: account) else {
                throw ServiceError.notFound(what: "conversation", id: id.rawValue)
            }
            var room = ReplySizeBudget()
            var newestFirst: [MessageItem] = []
            try transaction.messages.forEachMessage(in: id, account: account, limit: limit) { record in
                let message = room.reserveSpace(for: MessageItem(record, account: name, seenBy: perspective))
                newestFirst += message.map { [$0] } ?? []
                return message != nil
            }
            return Thread(
                conversation: ConversationItem(record, account: name),
                messages: Part(items: newestFirst.reversed(), isTruncated: room.isTruncated))
        }
    }

    /// Returns the ledger steps of a message, oldest first. The message is `nil` if it does not fit in a
    /// response.
    package func fetchLedgerSteps(
        of message: String, in conversation: String?, account: String?
    ) throws -> (message: MessageItem?, steps: Part<LedgerEntry>) {
        let (unit, record) = try accounts.findMessage(message, in: conversation, accountName: account)
        let (id, thread) = (record.message.id, record.message.conversation)
        return try store.read { transaction in
            let steps = try transaction.ledger.fetchSteps(of: id, in: thread, account: unit.account.id)
            var room = ReplySizeBudget(
                reservedBytes: steps.reduce(0) { $0 + ($1.detail?.jsonSize ?? 4) + Self.stepSize })
            let item = MessageItem(
                record, account: unit.account.name, seenBy: accounts.perspective(of: unit.account.id))
            let fitting = room.reserveSpace(for: item)
            return (fitting, Part(items: steps, isTruncated: room.isTruncated))
        }
    }

    /// The maximum size of a step without its detail, in bytes.
    private static let stepSize = 160
}

// MARK: - Search

extension ConversationReader {
    /// A message that matches a search.
    package nonisolated struct Match: Sendable {
        package let message: MessageItem
        /// The matching ranges of the text, in Unicode code points.
        package let ranges: [Range<Int>]
    }

    /// The maximum number of search results, which are sorted in memory.
    private static let maxResults = 1000

    /// Returns the messages that contain all of the words, sorted by relevance, or newest first if there are
    /// many matches. `isIndexing`: whether some messages are not indexed yet.
    package func search(
        for words: String, account: String?, limit: Int?
    ) async throws -> (found: Part<Match>, isIndexing: Bool) {
        let account = try account.map { try accounts.findSingleAccount(named: $0).account.id }
        let limit = try checkedSearchLimit(for: words, limit: limit)
        guard let query = SearchQuery(words) else { return (Part(items: [], isTruncated: false), false) }
        // Pass a higher limit to the store, because the store also counts duplicates from accounts that share
        // an inbox.
        let seconds = account == nil ? Set(ingest.inboxes.accountsCountedElsewhere) : []
        let shown = names(of: accounts.units).filter { !seconds.contains($0.key) }
        let perspectives = Dictionary(
            uniqueKeysWithValues: shown.keys.map { ($0, accounts.perspective(of: $0)) })
        let found = try await store.search(
            query, account: account, limit: limit * (1 + seconds.count),
            into: MatchCollector(query, limit: limit)
        ) { results, record in
            guard let name = shown[record.account], let perspective = perspectives[record.account] else {
                return true
            }
            return results.add(MessageItem(record, account: name, seenBy: perspective))
        }
        let isTruncated = found.isTruncated || found.result.isTruncated
        return (
            Part(items: found.result.matches, isTruncated: isTruncated),
            try store.fetchIndexedPercentage() != nil
        )
    }

    private func checkedSearchLimit(for words: String, limit: Int?) throws -> Int {
        guard words.split(whereSeparator: \.isWhitespace).count <= SearchQuery.maximumWords else {
            let reason = Reason(.tooManyWords, ["most": String(SearchQuery.maximumWords)])
            throw ServiceError.invalidArgument(parameter: "words", reason: reason)
        }
        let limit = try checkedLimit(limit) ?? 50
        guard limit <= Self.maxResults else {
            throw ServiceError.invalidArgument(
                parameter: "limit", reason: Reason(.valueTooLarge, ["most": String(Self.maxResults)]))
        }
        return limit
    }
}

/// Collects the search results that fit into one response.
private nonisolated struct MatchCollector: Sendable {
    private(set) var matches: [ConversationReader.Match] = []
    private var room: ReplySizeBudget
    private let query: SearchQuery
    private let limit: Int

    var isTruncated: Bool { room.isTruncated }

    private static let rangesPerMessage = 20
    private static let rangeSize = 64

    init(_ query: SearchQuery, limit: Int) {
        (self.query, self.limit) = (query, limit)
        room = ReplySizeBudget(reservedBytes: limit * Self.rangesPerMessage * Self.rangeSize)
    }

    /// Adds a message if it fits. Returns whether the search should continue.
    mutating func add(_ message: MessageItem) -> Bool {
        guard let fitting = room.reserveSpace(for: message) else { return false }
        matches.append(
            .init(
                message: fitting,
                ranges: query.findRanges(in: fitting.message.text, limit: Self.rangesPerMessage)))
        return matches.count < limit
    }
}
