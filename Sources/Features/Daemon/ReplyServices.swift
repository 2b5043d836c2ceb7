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
    let attention: NotificationController
    let screen: NotificationScreen
    let avatars: Avatars
    let queue: ReplyQueue

    /// Creates the services with empty settings; `DaemonProgram.apply` applies the configured settings.
    ///
    /// - Parameter onAdoption: called when a new notification server is found, before anything is shown on
    ///   it.
    init(
        log: LogWriter, accounts: AccountRegistry, source: ConfigurationSource, httpClient: HTTPClient,
        onAdoption: @escaping () async -> Void, surroundings: RuntimeEnvironment, logger: Logger
    ) throws {
        let environment = source.options.environment
        let session = SessionIdentity(environment: environment)
        attention = try NotificationController(
            Policy(), log: log, surroundings: surroundings, bootID: session.bootID,
            reader: { accounts.reader },
            isLocked: { [lock = ScreenLock(environment: environment)] in await lock.isLocked() })
        screen = NotificationScreen(
            store: log.store, attention: attention, notifier: notifier, session: session,
            onAdoption: onAdoption, surroundings: surroundings, logger: logger)
        avatars = Avatars(
            directory: source.paths.cacheDirectory, httpClient: httpClient,
            origins: { accounts.units.map { "\($0.account.address.origin)" } }, surroundings: surroundings,
            logger: logger)
        queue = ReplyQueue(
            log: log, screen: screen,
            presenter: ReplyPresenter(
                log: log, screen: screen, avatars: avatars, surroundings: surroundings),
            failures: FailureNotices(log: log, screen: screen, surroundings: surroundings, logger: logger),
            surroundings: surroundings, logger: logger)
    }
}

/// The rules of the configuration that `Ingest` applies to messages and reminders.
struct NotificationRules: ChangeRules {
    let attention: NotificationController
    let accounts: AccountRegistry

    func ignores(_ message: Message, in conversation: Conversation, of account: AccountID) -> Bool {
        // Return early without rules, because this function runs for each reply.
        guard attention.policy.hasRules else { return false }
        let appID = accounts[account]?.account.device?.appID
        return attention.policy.ignores(NotificationSubject(message, in: conversation, appID: appID))
    }

    func reminderDelay(for perspective: Perspective) -> Duration? {
        switch perspective {
        case .user: attention.policy.configuration.remindWaiting
        case .staff: attention.policy.configuration.remindAfter
        }
    }
}

extension AccountRegistry {
    /// The user's role, derived from the kinds of the accounts.
    var reader: Reader {
        Reader(
            isUser: units.contains { $0.account.device != nil },
            isStaff: units.contains { $0.account.isStaff })
    }
}
