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
    let transport: Transport
    let opener: Opener
    let hook: ReplyHook
    let keeper: AccountKeeper
    let housekeeping: Housekeeping
    let switches: Switches
    let machine: Machine
    let secretMover: SecretMover
    let questions: Questions
    let permission: Permission
    let consent: ConsentKeeper
    let added: AddedAccounts
    let handOver: HandOver
    let disconnection: DisconnectionNotice

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
        transport = Transport(userAgent: "\(Product.name)/\(Product.version)")
        avatars = Avatars(
            directory: source.paths.cacheDirectory, transport: transport, surroundings: surroundings,
            logger: logger)
        announcer = Announcer(
            store: store, head: ingest.head, reads: ingest.reads, notifier: notifier,
            policy: Policy(configuration.notifications, rules: configuration.rules),
            session: SessionIdentity(environment: environment), avatars: avatars,
            isOpen: { [ingest] in ingest.isOpen($0) }, surroundings: surroundings,
            logger: logger)
        switches = try Switches(ingest: ingest, announcer: announcer)
        opener = Opener(command: configuration.opener, environment: environment, logger: logger)
        machine = try Machine(
            secrets: configuration.secrets, directory: source.paths.stateDirectory, environment: environment)
        secretMover = SecretMover(
            machine.secrets, choice: configuration.secrets, ingest: ingest, surroundings: surroundings,
            logger: logger)
        hook = ReplyHook(
            command: configuration.hooks.onReply, ingest: ingest, accounts: accounts,
            caller: HookCaller(environment: environment, logger: logger),
            policy: { [announcer] in announcer.policy })
        keeper = AccountKeeper(
            accounts: accounts, ingest: ingest, transport: transport, machine: machine,
            surroundings: surroundings, logger: logger,
            onNews: { [announcer] in announcer.reconsider() })
        let (policy, session) = ({ [announcer] in announcer.policy }, announcer.session(of:))
        questions = try Questions(
            store: store, notifier: notifier, policy: policy, session: session,
            mayPopUp: configuration.questions, surroundings: surroundings, logger: logger)
        permission = Permission(store: store, questions: questions, switches: switches)
        consent = ConsentKeeper(
            ingest: ingest, questions: questions, accounts: accounts, surroundings: surroundings)
        added = AddedAccounts(store: store, logger: logger)
        handOver = HandOver(
            accounts: accounts, added: added, transport: transport, surroundings: surroundings,
            apply: { [keeper] in try keeper.apply($0) })
        disconnection = DisconnectionNotice(
            store: store, notifier: notifier, outages: { [accounts] in accounts.outages },
            reconnect: { [accounts] in for unit in accounts.units { unit.feed.revalidate(byPerson: true) } },
            policy: policy, session: session, surroundings: surroundings, logger: logger)
        connect()
        connectQuestions()
        try permission.askAtFirstStart()
        try keeper.apply(added.following(configuration.accounts))
    }

    /// Who asks whom, and who hears what from whom.
    private func connect() {
        avatars.origins = { [accounts] in accounts.units.map { "\($0.account.address.origin)" } }
        ingest.ignores = { [accounts, announcer] message, conversation, account in
            let appID = accounts[account]?.account.credential.appID
            return announcer.policy.ignores(Subject(message, in: conversation, appID: appID))
        }
        ingest.joined = { [announcer] in try announcer.takeInHand($0) }
        opener.onFailure = { [notifier, logger] in
            await notifier.tell(.notice("That could not be opened", $0, category: "im.error"), logger)
        }
        ingest.states.followers.append(disconnection.changes)
        announcer.onReconsider = { [questions, disconnection] in
            questions.reconsider()
            disconnection.changes.advance()
        }
        announcer.onServerLost = { [questions, disconnection] in
            questions.serverLost()
            disconnection.serverLost()
        }
    }

    /// What an answer of the person does.
    private func connectQuestions() {
        questions.effects = [
            .permission: { [permission] _, allow in
                try permission.settle(allow: allow)
                return nil
            },
            .consent: { [consent] _, allow in
                try consent.set(allow)
                return nil
            },
            .app: { [handOver] question, allow in
                guard allow, case .app(let token, let account) = question else { return nil }
                return try await handOver.take(token, at: account)
            },
        ]
    }

    /// Takes the configuration as it is now; throws `InvalidConfiguration` where it is refused, and `Failed`
    /// where the store cannot take it. Whatever it throws, the old one stays.
    func reload() throws {
        do {
            try take(try source.read())
            logger.notice("configuration reloaded")
        } catch {
            logger.error(
                "the configuration was not taken; the old one stays", metadata: ["reason": "\(error)"])
            if error is StoreError { throw Failed(reason: "\(error)") }
            throw InvalidConfiguration(reason: "\(error)")
        }
    }

    private func take(_ configuration: Configuration) throws {
        try keeper.apply(added.following(configuration.accounts))
        questions.mayPopUp = configuration.questions
        announcer.policy.configuration = configuration.notifications
        announcer.policy.rules = configuration.rules
        opener.command = configuration.opener
        secretMover.choice = configuration.secrets
        hook.command = configuration.hooks.onReply
        housekeeping.days = configuration.history.days
        threshold.level = source.options.level ?? configuration.level
    }
}
