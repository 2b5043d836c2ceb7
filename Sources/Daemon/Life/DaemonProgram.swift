import Config
import ControlAPI
import CutieAPI
import Desktop
import HTTP
import Inbox
import Logging
import Platform
import Store

/// The daemon, put together: who is there and who knows whom.
public final class DaemonProgram {
    let source: ConfigurationSource
    let threshold: LogThreshold
    let logger: Logger
    let manager = ServiceManager()
    let surroundings = Surroundings.real
    let ingest: Ingest
    let accounts: Accounts
    let announcer: Announcer
    let avatars: Avatars
    let notifier: Notifier
    let opener: Opener
    let keeper: AccountKeeper
    let housekeeping: Housekeeping
    let switches: Switches
    let machine: Machine
    let secretMover: SecretMover

    init(_ configuration: Configuration, source: ConfigurationSource, store: Store, threshold: LogThreshold)
        throws
    {
        (self.source, self.threshold) = (source, threshold)
        let environment = source.options.environment
        logger = Logger(label: Product.name)
        housekeeping = Housekeeping(
            store: store, days: configuration.history.days, surroundings: surroundings, logger: logger)
        ingest = try Ingest(
            store: store, surroundings: surroundings,
            oldestNews: { [housekeeping] in housekeeping.oldestNews })
        accounts = Accounts(store: store)
        notifier = Notifier(applicationName: Product.name)
        let transport = Transport(userAgent: "\(Product.name)/\(Product.version)")
        avatars = Avatars(
            directory: source.paths.cacheDirectory, transport: transport, surroundings: surroundings,
            logger: logger)
        avatars.origins = { [accounts] in accounts.units.map { "\($0.account.address.origin)" } }
        announcer = Announcer(
            store: store, head: ingest.head, notifier: notifier,
            policy: Policy(configuration.notifications, rules: configuration.rules),
            session: SessionIdentity(environment: environment), avatars: avatars,
            isOpen: { [ingest] in ingest.isOpen($0) }, surroundings: surroundings,
            logger: logger)
        ingest.ignores = { [accounts, announcer] message, conversation, account in
            let appID = accounts[account]?.account.credential.appID
            return announcer.policy.ignores(Subject(message, in: conversation, appID: appID))
        }
        switches = try Switches(ingest: ingest, announcer: announcer)
        opener = Opener(command: configuration.opener, environment: environment, logger: logger)
        machine = try Machine(
            secrets: configuration.secrets, directory: source.paths.stateDirectory, environment: environment)
        secretMover = SecretMover(
            machine.secrets, choice: configuration.secrets, ingest: ingest, surroundings: surroundings,
            logger: logger)
        keeper = AccountKeeper(
            accounts: accounts, ingest: ingest, transport: transport, machine: machine,
            surroundings: surroundings, logger: logger,
            onSynced: { [announcer] in announcer.reconsider() })
        opener.onFailure = { [announcer] in await announcer.tell("That could not be opened", $0) }
        try keeper.apply(configuration.accounts)
    }

    /// Takes the configuration as it is now; throws `InvalidConfiguration` where it is refused.
    func reload() throws {
        do {
            let configuration = try source.read()
            try keeper.apply(configuration.accounts)
            announcer.policy.configuration = configuration.notifications
            announcer.policy.rules = configuration.rules
            opener.command = configuration.opener
            secretMover.choice = configuration.secrets
            housekeeping.days = configuration.history.days
            threshold.level = source.options.level ?? configuration.level
            logger.notice("configuration reloaded")
        } catch {
            logger.error("the configuration was refused; the old one stays", metadata: ["reason": "\(error)"])
            throw InvalidConfiguration(reason: "\(error)")
        }
    }
}
