package import CutieAPI
import Store

/// The servers' clocks, from the `Date` header of their responses. Dates set by a server are only compared
/// with that server's clock.
package final class ServerClocks {
    /// Notified when a server sends its time for the first time.
    let heard = Signal()
    private let surroundings: Surroundings
    private var dates: [AccountID: (date: Timestamp, heardAt: Duration)] = [:]

    package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    package func note(_ date: Timestamp, of account: AccountID) {
        let isFirst = dates.updateValue((date, surroundings.uptime), forKey: account) == nil
        if isFirst { heard.notify() }
    }

    /// Returns the server's current time; `nil` if unknown.
    package func now(of account: AccountID) -> Timestamp? {
        dates[account].map { $0.date + (surroundings.uptime - $0.heardAt) }
    }

    /// Returns the time for calculating ages: the earlier one of the server's clock and the local clock. A
    /// clock that is ahead would make recent messages appear old.
    func reference(of account: AccountID) -> Timestamp? {
        now(of: account).map { min($0, surroundings.now()) }
    }

    /// The earlier and the later one of the servers' clocks and the local clock; `nil` if no server has sent
    /// its time. The lower bound is used to calculate ages without an account. Dates after the upper bound
    /// come from a wrong clock.
    var span: ClosedRange<Timestamp>? {
        guard let told = dates.keys.compactMap(now(of:)).max() else { return nil }
        let own = surroundings.now()
        return min(told, own)...max(told, own)
    }
}
