package import Accounts
import Config
package import ControlAPI
import CutieAPI
import Desktop
import EventLog
import FeedPolicy
import NotificationPolicy
import Notifications
import OAuth
import Store
import VarlinkSocket

/// The handlers for the state of the daemon.
struct StatusMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let screen: NotificationManager
    let attention: NotificationController
    let surroundings: RuntimeEnvironment
    private var store: MessageStore { ingest.store }

    var implementation: Implementation { Implementation().on(getStatus) }

    func getStatus(_ call: GetStatus) async throws -> GetStatus.Reply {
        // No signal tells that an idle server has ended. One that hangs must not delay the status.
        _ = try await surroundings.withTimeout(.seconds(1)) { [screen] in await screen.verifyServer() }
        let records = try store.read { try $0.accounts.all() }
        let badges = try BadgeShares(of: store, conversations: call.conversations == true)
        let titles = try accounts.titles()
        let views = try accounts.units.map { unit in
            AccountView(
                unit, title: titles[unit.account.name], badge: BadgeView(of: [unit], in: ingest, badges),
                inboxOf: nameOfCountingAccount(for: unit),
                lastEventAt: records.first { $0.id == unit.account.id }?.lastEventAt,
                outbox: try store.read { try $0.outbox.counts(of: unit.account.id) },
                now: surroundings.now(), uptime: surroundings.uptime)
        }
        let now = surroundings.reading
        let pause = attention.pause(at: now)
        return GetStatus.Reply(
            version: Product.version, state: accounts.state,
            badge: BadgeView(of: accounts.units, in: ingest, badges),
            sequence: ingest.head.value,
            outbox: views.map(\.outbox).reduce(0, +),
            outboxFailed: try views.map(\.outboxFailed).reduce(orphanedItemCount(among: records), +),
            notifications: attention.policy.isEnabled,
            paused: pause != nil, pausedUntil: pause?.until(at: now)?.milliseconds,
            private: pause?.isPrivate ?? false,
            notifier: NotifierView(
                available: screen.server != nil,
                server: screen.server.map { "\($0.name) \($0.version)" }),
            holds: screen.holds.map { HoldView($0) },
            indexing: try store.indexingProgress(),
            preview: PreviewLevel(attention.policy.previewWhenUnlocked(at: now)),
            accounts: views)
    }

    private func nameOfCountingAccount(for unit: AccountUnit) -> String? {
        ingest.countsTowardBadge(unit.account.id)
            ? nil : accounts.name(of: ingest.inboxes.countingAccount(for: unit.account.id))
    }

    /// Returns the number of items of accounts that are no longer configured. They are not sent.
    private func orphanedItemCount(among known: [AccountRecord]) throws -> Int {
        let gone = known.map(\.id).filter { accounts[$0] == nil }
        return try store.read { transaction in
            try gone.reduce(0) { sum, account in
                let counts = try transaction.outbox.counts(of: account)
                return sum + counts.waiting + counts.failed
            }
        }
    }
}

extension HoldView {
    init(_ hold: NotificationHold) {
        self.init(reason: Reason(hold.reason), until: hold.until?.milliseconds)
    }
}

extension HoldView.Reason {
    init(_ reason: NotificationHold.Reason) {
        self =
            switch reason {
            case .off: .off
            case .pause: .paused
            case .quietHours: .quietHours
            case .noServer: .noServer
            case .privatePause: .privatePause
            case .presence: .presence
            }
    }
}

extension PreviewLevel {
    init(_ preview: NotificationConfiguration.Preview) {
        self =
            switch preview {
            case .full: .full
            case .sender: .sender
            case .count: .count
            }
    }
}

extension AccountRegistry {
    /// The worst state of the accounts.
    package var state: ConnectionState {
        units.map(\.state).max { $0.severity < $1.severity } ?? .starting
    }
}

extension AccountUnit {
    /// An identity account has no connection: its state is that of its sign-in.
    fileprivate var state: ConnectionState {
        guard !account.hasFeed else { return feed.status.state }
        return authentication == .authenticated ? .connected : .stopped
    }

    fileprivate var reason: String? { account.hasFeed ? feed.status.reason : signIn?.session.obstacle }
}

extension ConnectionState {
    /// The severity of the state, for comparison.
    fileprivate var severity: Int {
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

extension AccountView {
    init(
        _ unit: AccountUnit, title: String?, badge: BadgeView, inboxOf: String?, lastEventAt: Timestamp?,
        outbox: (waiting: Int, failed: Int), now: Timestamp, uptime: Duration
    ) {
        let status = unit.feed.status
        self.init(
            name: unit.account.name, title: title == unit.account.name ? nil : title,
            kind: AccountKind(unit.account.kind), auth: unit.authentication,
            scopes: unit.signIn?.session.scope.names ?? [],
            state: unit.state, transport: status.transport, reason: unit.reason,
            nextTryAt: status.nextAttempt.map { (now + ($0 - uptime)).milliseconds },
            apiUrl: unit.account.address.description, appId: unit.account.device?.appID,
            deviceId: unit.account.device?.id.rawValue, badge: badge,
            lastEventAt: lastEventAt?.milliseconds, heldBack: unit.feed.isBufferedByProxy ? true : nil,
            registration: unit.device?.registration.obstacle?.sentence, inboxOf: inboxOf,
            outbox: outbox.waiting, outboxFailed: outbox.failed,
            warnings: [
                unit.account.configuration.pinWarning(at: now), unit.feed.synchronizer.warning,
                unit.feed.client.unreadable.warning,
            ].compactMap(\.self))
        unreadable = unit.feed.client.unreadable.count > 0 ? unit.feed.client.unreadable.count : nil
    }
}

extension DeviceRegistration.Obstacle {
    fileprivate var sentence: String {
        switch cause {
        case .unsupported: "the API registers no devices (\(reason)); App ID and device id are enough"
        case .refused: "the API does not register this device now (\(reason)); retried automatically"
        }
    }
}

extension BadgeView {
    /// Creates the total badge of these accounts, without the numbers of their conversations.
    init(of units: [AccountUnit], in ingest: Ingest) throws {
        self.init(of: units, in: ingest, try BadgeShares(of: ingest.store, conversations: false))
    }

    init(of units: [AccountUnit], in ingest: Ingest, _ shares: BadgeShares) {
        let accounts = units.map(\.account.id).filter { units.count == 1 || ingest.countsTowardBadge($0) }
        let badge = Badge.sum(accounts.map { ingest.badges[$0] ?? Badge() })
        let counts = shares.conversations.filter { accounts.contains($0.account) }
            .map { ($0.conversation.rawValue, $0.badge) }
        self.init(
            total: badge.total, conversations: Dictionary(counts, uniquingKeysWith: +),
            conversationCount: accounts.reduce(0) { $0 + (shares.counts[$1] ?? 0) }, unread: badge.unread)
    }
}

/// The conversations that count in the badge, of all accounts.
struct BadgeShares {
    let counts: [AccountID: Int]
    /// Empty if only the numbers of conversations were requested.
    let conversations: [BadgeRecord]

    init(of store: MessageStore, conversations: Bool) throws {
        (counts, self.conversations) = try store.read {
            (try $0.badges.counts(), conversations ? try $0.badges.all() : [])
        }
    }
}
