import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Store

extension ControlService {
    func status() async throws -> GetStatus.Reply {
        // A server that hangs must not hold up the status.
        _ = try await surroundings.within(.seconds(1)) { [announcer] in await announcer.look() }
        let records = try store.read { try $0.accounts() }
        let badges = try store.read { try $0.badges() }
        let views = try accounts.units.map { unit in
            AccountView(
                unit, badge: badge(of: [unit], badges), inboxOf: name(ofWhoCountsFor: unit),
                lastEventAt: records.first { $0.id == unit.account.id }?.lastEventAt,
                outbox: try store.read { try $0.outboxCounts(of: unit.account.id) },
                now: surroundings.now(), uptime: surroundings.uptime)
        }
        let now = surroundings.moment
        let pause = switches.pause(at: now)
        return GetStatus.Reply(
            version: Product.version, state: state, badge: badge(of: accounts.units, badges),
            sequence: ingest.head.value,
            outbox: views.map(\.outbox).reduce(0, +),
            outboxFailed: try views.map(\.outboxFailed).reduce(leftBehindCount(among: records), +),
            notifications: announcer.policy.isEnabled,
            paused: pause != nil, pausedUntil: pause?.until(at: now)?.milliseconds,
            private: pause?.isPrivate ?? false,
            notifier: NotifierView(
                available: announcer.server != nil,
                server: announcer.server.map { "\($0.name) \($0.version)" }),
            accounts: views)
    }

    private func name(ofWhoCountsFor unit: AccountUnit) -> String? {
        ingest.counts(unit.account.id)
            ? nil : accounts.name(of: ingest.inboxes.first(of: unit.account.id))
    }

    /// The least good of the accounts'.
    var state: ConnectionState {
        accounts.units.map(\.feed.status.state).max { $0.concern < $1.concern } ?? .starting
    }

    /// The badge of these accounts, with each conversation's share.
    func badge(of units: [AccountUnit]) throws -> BadgeView {
        let shares = try store.read { try $0.badges() }
        return badge(of: units, shares)
    }

    private func badge(of units: [AccountUnit], _ shares: [BadgeRecord]) -> BadgeView {
        let accounts = units.map(\.account.id).filter { units.count == 1 || ingest.counts($0) }
        let sum = Badge.sum(accounts.map { ingest.badges[$0] ?? Badge() })
        return BadgeView(sum, shares.filter { accounts.contains($0.account) })
    }
}

extension ConnectionState {
    /// How much it needs to be looked at.
    fileprivate var concern: Int {
        switch self {
        case .connected: 0
        case .connecting: 1
        case .starting: 2
        case .offline: 3
        case .unregistered: 4
        case .stopped: 5
        }
    }
}
