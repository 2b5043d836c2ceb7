import ControlAPI
import Store

/// An account that is not connected.
struct Outage: Hashable {
    let account: AccountID
    let name: String
    var state = ConnectionState.offline
    /// As `status` tells it.
    var reason: String?

    /// It needs a person, and tries again once an hour.
    var isStopped: Bool { state == .stopped }

    /// As `doctor` tells it.
    var cause: String {
        isStopped ? "stopped: " + (reason ?? "the API refuses this device") : reason ?? "no answer"
    }
}

extension Accounts {
    var outages: [Outage] {
        units.filter { $0.feed.status.state != .connected }.map {
            let status = $0.feed.status
            return Outage(
                account: $0.account.id, name: $0.account.name, state: status.state, reason: status.reason)
        }
    }
}
