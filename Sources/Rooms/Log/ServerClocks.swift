package import CutieAPI
import Store

/// What the servers' clocks show, by the `Date` of their answers: what they date is judged by nothing else.
package final class ServerClocks {
    /// Moves when a server tells the time for the first time.
    let heard = Signal()
    private let surroundings: Surroundings
    private var dates: [AccountID: (date: Timestamp, heardAt: Duration)] = [:]

    package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    package func note(_ date: Timestamp, of account: AccountID) {
        let isFirst = dates.updateValue((date, surroundings.uptime), forKey: account) == nil
        if isFirst { heard.notify() }
    }

    /// nil where it has told nothing yet.
    package func now(of account: AccountID) -> Timestamp? {
        dates[account].map { $0.date + (surroundings.uptime - $0.heardAt) }
    }

    /// By which age is judged: by the server's clock and ours, whichever is behind. One that is ahead would make
    /// things old that are not.
    func reference(of account: AccountID) -> Timestamp? {
        now(of: account).map { min($0, surroundings.now()) }
    }

    /// The same for what is no account's, and the one of both that is ahead: what is dated later than that was
    /// dated by a clock that was wrong. nil where no server has told the time.
    var span: ClosedRange<Timestamp>? {
        guard let told = dates.keys.compactMap(now(of:)).max() else { return nil }
        let own = surroundings.now()
        return min(told, own)...max(told, own)
    }
}
