import Store

/// Which accounts are without a connection for long enough to be worth a word.
struct OutageClock {
    let patience: Duration
    /// When each account was first seen without one, in time awake.
    private var since: [AccountID: Duration] = [:]

    init(patience: Duration) { self.patience = patience }

    /// Notes how it is now. Returns those that last too long, and when the next one will: nil where no other
    /// outage is there.
    mutating func note(_ outages: [Outage], at now: Duration) -> (overdue: [Outage], next: Duration?) {
        let before = since
        since = Dictionary(outages.map { ($0.account, before[$0.account] ?? now) }) { first, _ in first }
        let overdue = outages.filter { now - (since[$0.account] ?? now) >= patience }
        let next = since.values.map { $0 + patience }.filter { $0 > now }.min()
        return (overdue, next)
    }

    /// The machine slept, or its clock was set: what was seen before says nothing of the network.
    mutating func restart(at now: Duration) {
        for account in since.keys { since[account] = now }
    }
}
