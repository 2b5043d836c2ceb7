public import CutieAPI

extension Transaction {
    /// Remembers an event's id; false when it was known. Ids are pruned by the age of `time`.
    @discardableResult
    public func noteEvent(_ event: Event.ID, account: AccountID, at time: Timestamp) throws -> Bool {
        try run(
            "INSERT OR IGNORE INTO seen_event (account, event, at) VALUES (?, ?, ?)",
            [account.stored, event.stored, time.stored])
        return changes > 0
    }
}
