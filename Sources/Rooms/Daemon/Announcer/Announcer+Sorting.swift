import ControlAPI
import CutieAPI
import Inbox
import Store

/// One conversation's messages that pop up together.
struct PopupNews {
    let account: AccountID
    let id: Conversation.ID
    /// nil where its row is missing.
    let conversation: Conversation?
    /// Of the account.
    let appID: String?
    var messages: [MessageRecord]
    /// Who wrote what is on the screen already, newest first.
    var earlierNames: [String] = []

    var key: PopupKey { .conversation(account, id) }

    /// Its messages with all that a rule may look at.
    var subjects: [Subject] { messages.map(subject) }

    func subject(_ record: MessageRecord) -> Subject {
        Subject(record.message, in: conversation, appID: appID)
    }
}

/// What a turn shows: new replies each at its conversation, released ones in one digest.
struct SortedPending {
    var news: [PopupNews] = []
    var digest: [PopupNews] = []
    /// More may be released than the digest has.
    var isPiece = false

    /// What was held of a conversation goes with its new replies: two pop-ups would end with the older words.
    mutating func release(_ item: PopupNews) {
        if let place = news.firstIndex(where: { $0.key == item.key }) {
            news[place].messages = (item.messages + news[place].messages).sorted { $0.sequence < $1.sequence }
        } else {
            digest.append(item)
        }
    }

    var isEmpty: Bool { news.isEmpty && digest.isEmpty }
    var all: [MessageRecord] { (news + digest).flatMap(\.messages) }
}

extension Announcer {
    /// Reads a bounded number of messages a turn; where there are more, the next turn follows at once.
    private static let batch = 1000
    /// Of so many held ones in batches, the policy is asked in a turn.
    private static let mostPieces = 10

    /// Asks the policy about what waits; what may not be shown is held or dropped, and the ledger says why.
    func sortPending(alsoHeld: Bool) throws -> SortedPending {
        let fresh = try pending(held: false) { isOpen($0.account) }
        if fresh.isFull { wake(at: surroundings.uptime) }
        if !fresh.others.isEmpty { try hold(fresh.others, why: "its account is not configured any more") }
        burst += fresh.count
        var sorted = SortedPending(news: try admitted(fresh.news).news)
        if alsoHeld { try release(into: &sorted) }
        return sorted
    }

    /// What is held and may go now, but for what a first sync that is still going on has found. It is read in
    /// pieces, for the memory: the first one of which something may go is what goes.
    private func release(into sorted: inout SortedPending) throws {
        let synced = try store.read { try $0.accounts() }.filter { $0.syncedAt != nil }.map(\.id)
        var waiting = 0
        for _ in 0..<Self.mostPieces {
            let held = try pending(held: true, skipping: waiting) {
                synced.contains($0.account) && isOpen($0.account)
            }
            burst += held.count
            let (news, dropped) = try admitted(held.news)
            for item in news { sorted.release(item) }
            sorted.isPiece = held.isFull
            guard news.isEmpty, sorted.isPiece else { return }
            waiting += held.count - dropped
        }
    }

    /// A batch of what waits.
    private struct Pending {
        /// By conversation, in the order the first message of each came.
        var news: [PopupNews]
        /// Those that were not asked for.
        var others: [MessageRecord]
        var count: Int
        var isFull: Bool { count == Announcer.batch }
    }

    /// In one look at the store, as every event leads here.
    private func pending(
        held: Bool, skipping skipped: Int = 0, where isWanted: (MessageRecord) -> Bool
    ) throws -> Pending {
        try store.read { transaction in
            let records = try transaction.pendingMessages(held: held, limit: Self.batch, skipping: skipped)
            return Pending(
                news: try grouped(records.filter(isWanted), in: transaction),
                others: records.filter { !isWanted($0) }, count: records.count)
        }
    }

    /// What of it may be shown now, and of how many it is certain that they never are.
    private func admitted(_ waiting: [PopupNews]) throws -> (news: [PopupNews], dropped: Int) {
        let now = surroundings.moment
        var dropped = 0
        let news: [PopupNews] = try waiting.compactMap { news in
            let verdicts = Dictionary(grouping: news.messages) {
                policy.verdict(on: news.subject($0), now: now)
            }
            for (verdict, records) in verdicts {
                try put(aside: records, because: verdict, now: now.time)
                if case .never = verdict { dropped += records.count }
            }
            var news = news
            news.messages = verdicts[.show] ?? []
            return news.messages.isEmpty ? nil : news
        }
        return (news, dropped)
    }

    private func grouped(_ messages: [MessageRecord], in transaction: Transaction) throws -> [PopupNews] {
        var news: [PopupNews] = []
        var places: [PopupKey: Int] = [:]
        for record in messages {
            let id = record.message.conversation
            let key = PopupKey.conversation(record.account, id)
            if let place = places[key] {
                news[place].messages.append(record)
                continue
            }
            places[key] = news.count
            let conversation = try transaction.conversation(id, account: record.account)?.conversation
            let appID = try transaction.account(record.account)?.appID
            news.append(
                PopupNews(
                    account: record.account, id: id, conversation: conversation, appID: appID,
                    messages: [record]))
        }
        return news
    }

    private func put(aside records: [MessageRecord], because verdict: Policy.Verdict, now: Timestamp) throws {
        switch verdict {
        case .show: break
        case .never(let why):
            try step(.held, ControlAPI.LedgerStep.notShown + why, records, pending: false)
        case .hold(let why, let until):
            wake(at: until, now: now)
            try hold(records, why: why)
        }
    }

    /// They stay pending: announced as a digest once they are free to go. Those held already keep their reason.
    func hold(_ records: [MessageRecord], why: String) throws {
        try step(.held, why, records.filter { $0.stage != .held }, pending: true)
    }

    /// One step of the ledger for those of `records` that still wait; returns them. While we waited for the
    /// notification server, some may have been read elsewhere.
    @discardableResult
    func step(
        _ stage: Stage, _ detail: String?, _ records: [MessageRecord], pending: Bool,
        with change: (Transaction) throws -> Void = { _ in }
    ) throws -> [MessageRecord] {
        try store.write { transaction in
            try change(transaction)
            return try step(stage, detail, records, pending: pending, in: transaction)
        }
    }

    func step(
        _ stage: Stage, _ detail: String?, _ records: [MessageRecord], pending: Bool,
        in transaction: Transaction
    ) throws -> [MessageRecord] {
        let now = surroundings.now()
        return try records.filter { record in
            try transaction.appendToPending(
                step: stage, detail: detail, at: now, to: record.message.id,
                in: record.message.conversation, account: record.account, pending: pending)
        }
    }
}
