import Accounts
import Config
import EventLog
import HTTP
import Logging
import NotificationPolicy
import Notifications
import Platform
import Store
import Systemd

/// The foundation of the daemon: the log and its writer, the accounts, the services that show replies, the
/// network and the machine.
struct DaemonCore {
    let source: ConfigurationSource
    let threshold: LogThreshold
    let logger = Logger(label: Product.name)
    let runtime = RuntimeEnvironment.real
    let store: MessageStore
    let housekeeping: Housekeeping
    let replies: ReplyServices
    let ingest: Ingest
    let accounts: AccountRegistry
    let httpClient: HTTPClient
    let machine: Machine
    let secretMover: SecretMover
    let language: SessionLanguage
    let presence: PresenceCheck
    let openings: OpeningRegister

    /// - Parameter secrets: the configured storage of secrets. `SecretMover` applies later changes.
    init(
        secrets: Configuration.SecretStorage, source: ConfigurationSource, store: MessageStore,
        threshold: LogThreshold
    ) throws {
        (self.source, self.threshold, self.store) = (source, threshold, store)
        let (clocks, log) = (
            ServerClocks(runtime), try LogWriter(store: store, runtime: runtime)
        )
        housekeeping = Housekeeping(log: log, clocks: clocks, runtime: runtime, logger: logger)
        accounts = AccountRegistry(log: log)
        language = SessionLanguage(environment: source.options.environment, logger: logger)
        httpClient = HTTPClient(userAgent: "\(Product.name)/\(Product.version)")
        machine = try Machine(
            secrets: secrets, directory: source.paths.stateDirectory,
            environment: source.options.environment, session: { [language] in language.variables })
        secretMover = SecretMover(machine.secrets, log: log, runtime: runtime, logger: logger)
        replies = try ReplyServices(
            log: log, accounts: accounts, source: source, httpClient: httpClient,
            onAdoption: { [language, secretMover] in
                // A new notification server is a sign of a new session, which may have another language or
                // provide a keyring.
                await language.followSessionLanguage()
                secretMover.recheckLocation()
            },
            runtime: runtime, logger: logger)
        presence = PresenceCheck(
            environment: source.options.environment, runtime: runtime,
            onChange: { [notificationController = replies.notificationController] in
                notificationController.policy.texts = $0
            })
        ingest = Ingest(
            writer: log, clocks: clocks, runtime: runtime,
            rules: NotificationRules(
                notificationController: replies.notificationController, accounts: accounts),
            participant: replies.queue, members: { [accounts] in try accounts.fetchInboxMembers() },
            oldestNews: { [housekeeping] in housekeeping.retentionStart(for: $0) })
        openings = OpeningRegister(ingest: ingest)
    }

    var environment: [String: String] { source.options.environment }
}

/// The services that manage the accounts, and the services that all accounts share.
struct AccountServices {
    let supervisor: AccountSupervisor
    let consent: ActivityConsent
    let pinger: ActivityPinger
    let added: AddedAccounts
    let handOver: HandOver

    /// - Parameter onPendingReplies: called when there may be replies to announce.
    init(on core: DaemonCore, onPendingReplies: @escaping () -> Void) {
        let (accounts, ingest, httpClient) = (core.accounts, core.ingest, core.httpClient)
        let (runtime, logger) = (core.runtime, core.logger)
        supervisor = AccountSupervisor(
            accounts: accounts, ingest: ingest, httpClient: httpClient, machine: core.machine,
            runtime: runtime, logger: logger, onPendingReplies: onPendingReplies)
        consent = ActivityConsent(store: core.store)
        pinger = ActivityPinger(
            consent: consent, accounts: accounts, ingest: ingest, httpClient: httpClient, logger: logger)
        added = AddedAccounts(store: core.store, logger: logger)
        handOver = HandOver(
            accounts: accounts, added: added, httpClient: httpClient, runtime: runtime,
            apply: { [supervisor] in try supervisor.applyConfigurations($0) })
    }

    /// Applies the configured accounts, together with the accounts that links and apps added. If this
    /// function throws, the previous accounts stay in use.
    func applyAccounts(_ accounts: [AccountConfiguration]) throws {
        try supervisor.applyConfigurations(added.appendingAddedAccounts(to: accounts))
        added.configured = accounts
    }
}
