import Accounts
import Config
import ControlAPI
import CutieAPI
import Domain
import EventLog
import FeedPolicy
import NotificationPolicy
import Notifications
import OAuth
import Platform
import Reasons
import Services
import Store
import VarlinkSocket

/// The handlers for the state of the daemon.
struct StatusMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let screen: NotificationScreen
    let notificationController: NotificationController
    let runtime: RuntimeEnvironment
    private var service: StatusService {
        StatusService(ingest: ingest, accounts: accounts, screen: screen, runtime: runtime)
    }

    var implementation: Implementation { Implementation().on(getStatus) }

    func getStatus(_ call: GetStatus) async throws -> GetStatus.Reply {
        try await service.queryNotificationServer()
        let shares = try BadgeShares(of: ingest.store, includesConversations: call.conversations == true)
        let views = try service.fetchAccountSummaries().map { status in
            AccountView(
                status, badge: BadgeView(of: [status.unit], in: ingest, shares: shares), now: runtime.now(),
                uptime: runtime.uptime)
        }
        return try makeReply(accounts: views, badgeShares: shares)
    }

    private func makeReply(accounts views: [AccountView], badgeShares shares: BadgeShares) throws
        -> GetStatus.Reply
    {
        let now = runtime.clockReading
        let pause = notificationController.currentPause(at: now)
        return GetStatus.Reply(
            version: Product.version, state: ConnectionState(accounts.state),
            badge: BadgeView(of: accounts.units, in: ingest, shares: shares),
            sequence: ingest.head.value,
            outbox: views.map(\.outbox).reduce(0, +),
            outboxFailed: try views.map(\.outboxFailed).reduce(service.countOrphanedItems(), +),
            notifications: notificationController.policy.isEnabled,
            paused: pause != nil, pausedUntil: pause?.wallClockEndTime(using: now)?.milliseconds,
            private: pause?.isPrivate ?? false,
            notifier: NotifierView(
                available: screen.server != nil,
                server: screen.server.map { "\($0.name) \($0.version)" }, problem: screen.serverProblem),
            holds: screen.holds.map { HoldView($0) },
            indexing: try ingest.store.fetchIndexedPercentage(),
            preview: PreviewLevel(notificationController.policy.previewWhenUnlocked(at: now)),
            accounts: views)
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

extension ConnectionState {
    init(_ state: AccountState) {
        self =
            switch state {
            case .starting: .starting
            case .connecting: .connecting
            case .connected: .connected
            case .offline: .offline
            case .unregistered: .unregistered
            case .stopped: .stopped
            }
    }
}

extension Authentication {
    init(_ state: AuthenticationState) {
        self =
            switch state {
            case .unknown: .unknown
            case .unauthenticated: .unauthenticated
            case .authenticated: .authenticated
            }
    }
}

extension AccountKind {
    init(_ kind: Account.Kind) {
        self =
            switch kind {
            case .device: .device
            case .staff: .staff
            case .identity: .identity
            }
    }
}

extension AccountView {
    init(
        _ account: StatusService.AccountSummary, badge: BadgeView, now: Timestamp, uptime: Duration
    ) {
        let (unit, title) = (account.unit, account.title)
        let status = unit.feed.status
        self.init(
            name: unit.account.name, title: title == unit.account.name ? nil : title,
            kind: AccountKind(unit.account.kind), auth: Authentication(unit.authentication),
            scopes: unit.signIn?.session.scope.names ?? [],
            state: ConnectionState(unit.state), transport: status.transport, reason: unit.reason?.english,
            nextTryAt: status.nextAttempt.map { (now + ($0 - uptime)).milliseconds },
            apiUrl: unit.account.address.description, appId: unit.account.device?.appID,
            deviceId: unit.account.device?.id.rawValue, badge: badge,
            lastEventAt: account.lastEventAt?.milliseconds,
            heldBack: unit.feed.isBufferedByProxy ? true : nil,
            registration: unit.device?.registration.obstacle?.status.english, inboxOf: account.inboxOf,
            outbox: account.outbox.waiting, outboxFailed: account.outbox.failed,
            warnings: [
                unit.account.configuration.pinExpiryWarning(at: now), unit.feed.synchronizer.warning?.english,
                unit.feed.client.unreadable.warning,
            ].compactMap(\.self))
        unreadable = unit.feed.client.unreadable.count > 0 ? unit.feed.client.unreadable.count : nil
        self = withReasonFields(of: unit.reason)
    }
}

extension DeviceRegistration.Obstacle {
    fileprivate var status: Reason {
        Reason(cause == .unsupported ? .registrationUnsupported : .registrationRefused, because: reason)
    }
}

extension BadgeView {
    /// Creates the total badge of the accounts, without a number for each conversation.
    init(of units: [AccountUnit], in ingest: Ingest) throws {
        self.init(
            of: units, in: ingest, shares: try BadgeShares(of: ingest.store, includesConversations: false))
    }

    init(of units: [AccountUnit], in ingest: Ingest, shares: BadgeShares) {
        let accounts = units.map(\.account.id).filter { units.count == 1 || ingest.countsTowardBadge($0) }
        let badge = Badge.sum(of: accounts.map { ingest.badges[$0] ?? Badge() })
        let counts = shares.conversations.filter { accounts.contains($0.account) }
            .map { ($0.conversation.rawValue, $0.badge) }
        self.init(
            total: badge.total, conversations: Dictionary(counts, uniquingKeysWith: +),
            conversationCount: accounts.reduce(0) { $0 + (shares.counts[$1] ?? 0) }, unread: badge.unread)
    }
}

/// The counts that make up the badge, for all accounts and conversations.
struct BadgeShares {
    let counts: [AccountID: Int]
    /// The count of each conversation; empty if only the counts of accounts were requested.
    let conversations: [BadgeRecord]

    init(of store: MessageStore, includesConversations: Bool) throws {
        (counts, self.conversations) = try store.read {
            (try $0.badges.fetchConversationCounts(), includesConversations ? try $0.badges.fetchAll() : [])
        }
    }
}
