import ControlAPI
import Store

/// An account that is not connected.
struct Outage: Hashable {
    let account: AccountID
    let name: String
    /// As `status` tells it.
    var reason: String?
}

extension Accounts {
    var outages: [Outage] {
        units.filter { $0.feed.status.state != .connected }.map {
            Outage(account: $0.account.id, name: $0.account.name, reason: $0.feed.status.reason)
        }
    }
}
