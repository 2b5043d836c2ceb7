import CutieAPI
import Inbox
import Store

/// One conversation's messages that pop up together.
struct PopupNews {
    let account: AccountID
    let conversation: Conversation.ID
    var messages: [MessageRecord]

    var key: PopupKey { .conversation(account, conversation) }
}

/// What a turn shows: new replies each at its conversation, released ones in one digest.
struct SortedPending {
    var news: [PopupNews] = []
    var digest: [PopupNews] = []

    var isEmpty: Bool { news.isEmpty && digest.isEmpty }
    var all: [MessageRecord] { (news + digest).flatMap(\.messages) }
}

extension Announcer {
    /// Reads a bounded number of messages a turn; where there are more, the next turn follows at once.
    private static let batch = 1000

    /// Asks the policy about what waits; what may not be shown is held or dropped, and the ledger says why.
    func sortPending(alsoHeld: Bool) throws -> SortedPending {
        let now = surroundings.now()
        let synced = try store.read { try $0.accounts().filter { $0.syncedAt != nil }.map(\.id) }
        let (fresh, held) = try store.read { transaction in
            let fresh = try transaction.pendingMessages(held: false, limit: Self.batch)
            let held = alsoHeld ? try transaction.pendingMessages(held: true, limit: Self.batch * 10) : []
            return (fresh, held.filter { synced.contains($0.account) })
        }
        if fresh.count == Self.batch { wake(at: surroundings.uptime) }
        var sorted = SortedPending()
        sorted.news = try admitted(fresh, now: now)
        sorted.digest = try admitted(held, now: now)
        return sorted
    }

    private func admitted(_ messages: [MessageRecord], now: Timestamp) throws -> [PopupNews] {
        var news: [PopupNews] = []
        var places: [PopupKey: Int] = [:]
        var held: [String: [MessageRecord]] = [:]
        var dropped: [String: [MessageRecord]] = [:]
        for record in messages {
            let priority = try priority(of: record)
            switch policy.verdict(on: record.message, priority: priority, now: now) {
            case .show:
                let key = PopupKey.conversation(record.account, record.message.conversation)
                if let place = places[key] {
                    news[place].messages.append(record)
                } else {
                    places[key] = news.count
                    news.append(
                        PopupNews(
                            account: record.account, conversation: record.message.conversation,
                            messages: [record]))
                }
            case .hold(let why, let until):
                if let until { wake(atWallClock: until, now: now) }
                if record.stage != .held { held[why, default: []].append(record) }
            case .never(let why): dropped[why, default: []].append(record)
            }
        }
        for (why, records) in held { try hold(records, why: why) }
        for (why, records) in dropped { try step(.held, why, records, pending: false) }
        return news
    }

    private func priority(of record: MessageRecord) throws -> Priority? {
        try store.read { try $0.conversation(record.message.conversation, account: record.account) }?
            .conversation.priority
    }

    private func wake(atWallClock time: Timestamp, now: Timestamp) {
        wake(at: surroundings.uptime + .milliseconds(max(0, time.milliseconds - now.milliseconds)))
    }

    /// They stay pending: announced as a digest once they are free to go.
    func hold(_ records: [MessageRecord], why: String) throws {
        try step(.held, why, records.filter { $0.stage != .held }, pending: true)
    }

    /// One step of the ledger for each of `records`.
    func step(_ stage: Stage, _ detail: String?, _ records: [MessageRecord], pending: Bool) throws {
        guard !records.isEmpty else { return }
        let now = surroundings.now()
        try store.write { transaction in
            for (account, records) in Dictionary(grouping: records, by: \.account) {
                try transaction.append(
                    step: stage, detail: detail, at: now, to: records.map(\.message.id), account: account,
                    pending: pending)
            }
        }
    }
}
