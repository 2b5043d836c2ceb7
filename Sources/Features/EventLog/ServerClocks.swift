package import CutieAPI
import Store

/// The servers' clocks, from the `Date` header of their responses. Dates set by a server are only compared
/// with that server's clock.
package final class ServerClocks {
    /// Notified when a server sends its time for the first time.
    let dateSignal = ChangeSignal()
    private let runtime: RuntimeEnvironment
    private var dates: [AccountID: (date: Timestamp, receivedAt: Duration)] = [:]

    package init(_ runtime: RuntimeEnvironment) { self.runtime = runtime }

    /// Records the time in a response that was just received.
    package func recordTime(_ date: Timestamp, of account: AccountID) {
        let isFirst = dates.updateValue((date, runtime.uptime), forKey: account) == nil
        if isFirst { dateSignal.notify() }
    }

    /// Returns the server's current time; `nil` if unknown.
    package func currentTime(of account: AccountID) -> Timestamp? {
        dates[account].map { $0.date + (runtime.uptime - $0.receivedAt) }
    }

    /// Returns the time for calculating ages: the server's time or the local time, whichever is earlier;
    /// `nil` if the server's time is unknown. A clock that is ahead would make recent messages appear old.
    func referenceTime(of account: AccountID) -> Timestamp? {
        currentTime(of: account).map { min($0, runtime.now()) }
    }

    /// The range between the local clock and the server clock that is furthest ahead; `nil` if no server has
    /// sent its time. The lower bound is used to calculate ages without an account. Dates after the upper
    /// bound come from a wrong clock.
    var span: ClosedRange<Timestamp>? {
        guard let lastDate = dates.keys.compactMap(currentTime(of:)).max() else { return nil }
        let own = runtime.now()
        return min(lastDate, own)...max(lastDate, own)
    }
}
