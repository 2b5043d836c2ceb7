import Config
import CutieAPI
import FoundationEssentials
import Logging
import Store

/// One account at work: its feed, its outbox and its address at a push service.
struct AccountUnit {
    let account: Account
    let profile: Profile
    let attestor: Attestor
    let feed: Feed
    let outbox: Outbox
    let push: PushRegistrar
    let surroundings: Surroundings
    let logger: Logger

    init(_ configuration: AccountConfiguration, with dependencies: AccountDependencies) throws {
        let (ingest, machine) = (dependencies.ingest, dependencies.machine)
        (surroundings, logger) = (dependencies.surroundings, dependencies.logger)
        account = try Account(configuration, on: machine, store: ingest.store, logger: logger)
        let safe = TokenSafe(account: account, secrets: machine.secrets, store: ingest.store, logger: logger)
        let authorizer = DeviceAuthorizer(account: account, safe: safe, surroundings: surroundings)
        attestor = try Attestor(account: account, machine: machine, store: ingest.store, logger: logger)
        profile = try Profile(account, store: ingest.store)
        let client = APIClient(
            account: account, profile: profile, transport: dependencies.transport, authorizer: authorizer,
            attestor: attestor, clocks: ingest.clocks, surroundings: surroundings)
        outbox = Outbox(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            outcomes: dependencies.outcomes, surroundings: surroundings, logger: logger,
            onFailures: dependencies.onNews)
        push = PushRegistrar(
            account: account, profile: profile, client: client, authorizer: authorizer,
            store: ingest.store, surroundings: surroundings, logger: logger)
        feed = Feed(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            surroundings: surroundings, logger: logger, onSynced: dependencies.onNews,
            onConnected: { [outbox, attestor, push] again in
                if again {
                    try outbox.sendNow()
                    attestor.connections.advance()
                }
                push.look()
            })
        outbox.onRefused = { [weak feed] in feed?.revalidate(because: .refusal) }
    }
}

extension Account {
    /// The account that the store has for `configuration`, made where it is new.
    fileprivate init(
        _ configuration: AccountConfiguration, on machine: Machine, store: Store, logger: Logger
    ) throws {
        let record = try store.write {
            try $0.account(
                name: configuration.name, appID: configuration.appID,
                apiURL: configuration.apiURL.description
            ) { machine.devices.device(of: configuration) ?? DeviceID("device_" + UUID().uuidString) }
        }
        machine.devices.keep(record.deviceID, of: configuration, logger)
        self.init(
            id: record.id, configuration: configuration,
            credential: .device(appID: configuration.appID, id: record.deviceID),
            facts: machine.facts(for: configuration))
    }
}
