import Accounts
import Config
import CutieAPI
import Desktop
import Domain
import EventLog
import FeedPolicy
import Localization
import NotificationPolicy
import Notifications
import Platform
import Services
import Systemd

/// The services for the desktop: notifications, the programs that they open, and the policy.
struct DesktopServices {
    let notifier: any NotificationBackend = Notifier(applicationName: Product.title)
    let attention: NotificationController
    let screen: NotificationManager
    let holdReporter: HoldReporter
    let avatars: Avatars
    let announcer: ReplyAnnouncer
    let questions: Questions
    let outages: OutageNotice
    let reminders: Reminders
    let opener: Opener
    let notificationActions: NotificationActionHandler

    /// Creates the services with empty settings. `DaemonProgram.apply` sets the configured settings.
    init(on core: DaemonCore) throws {
        let (store, ingest, accounts) = (core.store, core.ingest, core.accounts)
        let (surroundings, logger) = (core.surroundings, core.logger)
        let session = SessionIdentity(environment: core.environment)
        attention = try NotificationController(
            Policy(), ingest: ingest,
            surroundings: surroundings, bootID: session.bootID,
            isLocked: { [lock = ScreenLock(environment: core.environment)] in await lock.isLocked() })
        screen = NotificationManager(
            store: store, attention: attention, notifier: notifier, session: session,
            surroundings: surroundings, logger: logger)
        holdReporter = HoldReporter(screen: screen, surroundings: surroundings)
        avatars = Avatars(
            directory: core.source.paths.cacheDirectory, httpClient: core.httpClient,
            surroundings: surroundings, logger: logger)
        announcer = ReplyAnnouncer(
            ingest: ingest, screen: screen, avatars: avatars, isOpen: { ingest.isOpen($0) },
            surroundings: surroundings, logger: logger)
        questions = try Questions(
            store: store, screen: screen, showsQuestions: false,
            hasPendingReplies: announcer.hasPendingReplies, surroundings: surroundings, logger: logger)
        outages = OutageNotice(
            screen: screen, outages: { try accounts.outages() }, surroundings: surroundings, logger: logger)
        reminders = Reminders(
            ingest: ingest, screen: screen, isOpen: { ingest.isOpen($0) }, surroundings: surroundings,
            logger: logger)
        opener = Opener(command: nil, environment: core.environment, logger: logger)
        notificationActions = NotificationActionHandler(
            screen: screen,
            actions: AccountConversationActions(accounts, openings: core.openings, logger: logger),
            opener: opener, questions: questions, logger: logger)
        connect(to: core)
    }

    /// Connects the accounts and the log with the notifications.
    private func connect(to core: DaemonCore) {
        let accounts = core.accounts
        attention.reader = { accounts.reader }
        avatars.origins = { accounts.units.map { "\($0.account.address.origin)" } }
        core.ingest.ignores = { [attention] message, conversation, account in
            // Most users have no rules, and this closure runs for each reply.
            guard attention.policy.hasRules else { return false }
            let appID = accounts[account]?.account.device?.appID
            return attention.policy.ignores(NotificationSubject(message, in: conversation, appID: appID))
        }
        core.ingest.reminderDelay = { [attention] in attention.policy.configuration.reminderDelay(for: $0) }
        core.ingest.additionalWork = { [announcer] in try announcer.announce($0) }
        questions.confirm = { [presence = core.presence] in try await presence.require(.grant) }
        core.presence.onChange = { [attention] in attention.policy.texts = $0 }
        outages.changes.follow(core.ingest.stateSignal)
    }
}

extension AccountRegistry {
    /// The role of the user, which depends on the kinds of accounts.
    var reader: Reader {
        Reader(
            isUser: units.contains { $0.account.device != nil },
            isStaff: units.contains { $0.account.isStaff })
    }

    func outages() throws -> [Outage] {
        // If an account needs a sign-in, only the sign-in is reported, not the outage.
        let concerned = units.filter { $0.account.hasFeed && $0.signIn?.session.obstacle == nil }
        let isSeveral = units.count > 1
        let titles = isSeveral ? try titles() : [:]
        return concerned.filter { $0.feed.status.state != .connected }.map {
            let status = $0.feed.status
            return Outage(
                account: $0.account.id, title: titles[$0.account.name], state: status.state,
                reason: status.reason)
        }
    }
}

extension NotificationConfiguration {
    /// Returns the time after which a conversation that waits for a reply causes a reminder; `nil` for no
    /// reminder.
    fileprivate func reminderDelay(for perspective: Perspective) -> Duration? {
        switch perspective {
        case .user: remindWaiting
        case .staff: remindAfter
        }
    }
}
