import Accounts
import Config
import EventLog
import HTTP
import Logging
import Platform
import Store
import Systemd

/// The foundation of the daemon: the database and its writer, the accounts, the network and the machine.
struct DaemonCore {
    let source: ConfigurationSource
    let threshold: LogThreshold
    let logger = Logger(label: Product.name)
    let surroundings = RuntimeEnvironment.real
    let store: MessageStore
    let housekeeping: Housekeeping
    let ingest: Ingest
    let accounts: AccountRegistry
    let httpClient: HTTPClient
    let machine: Machine
    let language: SessionLanguage
    let presence: PresenceCheck
    let openings: OpeningRegister

    /// - Parameter secrets: the configured storage of secrets. `SecretMover` applies later changes.
    init(
        secrets: Configuration.SecretStorage, source: ConfigurationSource, store: MessageStore,
        threshold: LogThreshold
    ) throws {
        (self.source, self.threshold, self.store) = (source, threshold, store)
        let clocks = ServerClocks(surroundings)
        housekeeping = Housekeeping(
            store: store, clocks: clocks, surroundings: surroundings, logger: logger)
        ingest = try Ingest(
            store: store, clocks: clocks, surroundings: surroundings,
            oldestNews: { [housekeeping] in housekeeping.oldestNews(of: $0) })
        housekeeping.isOpen = { [ingest] in ingest.isOpen($0) }
        openings = OpeningRegister(ingest: ingest)
        accounts = AccountRegistry(store: store)
        language = SessionLanguage(environment: source.options.environment, logger: logger)
        presence = PresenceCheck(environment: source.options.environment, surroundings: surroundings)
        httpClient = HTTPClient(userAgent: "\(Product.name)/\(Product.version)")
        machine = try Machine(
            secrets: secrets, directory: source.paths.stateDirectory,
            environment: source.options.environment, session: { [language] in language.variables })
    }

    var environment: [String: String] { source.options.environment }
}

/// The services that manage the accounts, and the services that all accounts share.
struct AccountServices {
    let supervisor: AccountSupervisor
    let secretMover: SecretMover
    let consent: ActivityConsent
    let pinger: ActivityPinger
    let added: AddedAccounts
    let handOver: HandOver

    /// - Parameter onPendingReplies: called when something may have to be announced.
    init(on core: DaemonCore, onPendingReplies: @escaping () -> Void) {
        let (accounts, ingest, httpClient) = (core.accounts, core.ingest, core.httpClient)
        let (surroundings, logger) = (core.surroundings, core.logger)
        supervisor = AccountSupervisor(
            accounts: accounts, ingest: ingest, httpClient: httpClient, machine: core.machine,
            surroundings: surroundings, logger: logger, onPendingReplies: onPendingReplies)
        secretMover = SecretMover(
            core.machine.secrets, ingest: ingest, surroundings: surroundings, logger: logger)
        consent = ActivityConsent(store: core.store)
        pinger = ActivityPinger(
            consent: consent, accounts: accounts, ingest: ingest, httpClient: httpClient, logger: logger)
        added = AddedAccounts(store: core.store, logger: logger)
        handOver = HandOver(
            accounts: accounts, added: added, httpClient: httpClient, surroundings: surroundings,
            apply: { [supervisor] in try supervisor.apply($0) })
    }

    /// Applies the configured accounts, together with the accounts that links and apps added. If this throws,
    /// the previous accounts stay in use.
    func apply(_ accounts: [AccountConfiguration]) throws {
        try supervisor.apply(added.appended(to: accounts))
        added.configured = accounts
    }
}
