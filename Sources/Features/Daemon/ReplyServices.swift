import Accounts
import Config
import CutieAPI
import Desktop
import EventLog
import FeedPolicy
import HTTP
import Localization
import Logging
import NotificationPolicy
import Notifications
import Platform
import Systemd

/// The components that handle a reply after it was stored: the queue, the presenter and the screen. Each
/// component calls only the next component.
struct ReplyServices {
    let notifier: any NotificationBackend = Notifier(applicationName: Product.title)
    let notificationController: NotificationController
    let screen: NotificationScreen
    let avatars: Avatars
    let queue: ReplyQueue

    /// Creates the services with empty settings; `DaemonProgram.applySettings` applies the configured
    /// settings.
    ///
    /// - Parameter onAdoption: called when a new notification server is found, before anything is shown on
    ///   it.
    init(
        log: LogWriter, accounts: AccountRegistry, source: ConfigurationSource, httpClient: HTTPClient,
        onAdoption: @escaping () async -> Void, runtime: RuntimeEnvironment, logger: Logger
    ) throws {
        let environment = source.options.environment
        let session = SessionIdentity(environment: environment)
        notificationController = try NotificationController(
            Policy(), log: log, runtime: runtime, bootID: session.bootID,
            reader: { accounts.reader },
            isLocked: { [lock = ScreenLock(environment: environment)] in await lock.queryLockState() })
        screen = NotificationScreen(
            store: log.store, notificationController: notificationController, notifier: notifier,
            session: session,
            onAdoption: onAdoption, runtime: runtime, logger: logger)
        avatars = Avatars(
            directory: source.paths.cacheDirectory, httpClient: httpClient,
            origins: { accounts.units.map { "\($0.account.address.origin)" } }, runtime: runtime,
            logger: logger)
        queue = ReplyQueue(
            log: log, screen: screen,
            presenter: ReplyPresenter(
                log: log, screen: screen, avatars: avatars, runtime: runtime),
            failures: FailureNotices(log: log, screen: screen, runtime: runtime, logger: logger),
            runtime: runtime, logger: logger)
    }
}

/// The rules of the configuration that `Ingest` applies to messages and reminders.
struct NotificationRules: ChangeRules {
    let notificationController: NotificationController
    let accounts: AccountRegistry

    func ignores(_ message: Message, in conversation: Conversation, of account: AccountID) -> Bool {
        // Check first whether there are rules, because this function runs for each reply.
        notificationController.policy.hasRules
            && notificationController.policy.ignores(
                NotificationSubject(
                    message, in: conversation, appID: accounts[account]?.account.device?.appID))
    }

    func reminderDelay(for perspective: Perspective) -> Duration? {
        switch perspective {
        case .user: notificationController.policy.configuration.remindWaiting
        case .staff: notificationController.policy.configuration.remindAfter
        }
    }
}

extension AccountRegistry {
    /// The user's role, derived from the kinds of the accounts.
    var reader: UserRole {
        UserRole(
            isUser: units.contains { $0.account.device != nil },
            isStaff: units.contains { $0.account.isStaff })
    }
}
