import ControlAPI
import Store

/// What accounts had to send that are not configured any more. It stays for the day they come back; until then
/// nobody is at work on it, and nobody but the outbox tells of it.
extension ControlService {
    /// How many of these there are.
    func leftBehindCount(among known: [AccountRecord]) throws -> Int {
        let gone = known.map(\.id).filter { accounts[$0] == nil }
        return try store.read { transaction in
            try gone.reduce(0) { sum, account in
                let counts = try transaction.outboxCounts(of: account)
                return sum + counts.waiting + counts.failed
            }
        }
    }

    /// Under the names that their accounts had.
    func leftBehind(in room: inout ReplyRoom) throws -> [OutboxItem] {
        try store.read { transaction in
            var items: [OutboxItem] = []
            for account in try transaction.accounts() where accounts[account.id] == nil {
                try transaction.readOutbox(of: account.id) { record in
                    let item = room.take(OutboxItem(leftBehind: record, by: account.name))
                    items += item.map { [$0] } ?? []
                    return item != nil
                }
            }
            return items
        }
    }
}

extension OutboxItem {
    fileprivate init(leftBehind record: OutboxRecord, by account: String) {
        self.init(record, account: account)
        (state, nextAttemptAt) = (OutboxRecord.State.failed.rawValue, nil)
        error = "account \(account) is not configured any more; configure it again, or cancel this"
    }
}
