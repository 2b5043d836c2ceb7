import Config
package import ControlAPI
import CutieAPI
import FoundationEssentials
import HTTP
import Inbox
import Log
import Logging
import Store

/// One account at work: its feed, its outbox, and what only its kind of caller has.
package struct AccountUnit {
    package let account: Account
    package let profile: Profile
    package let feed: Feed
    package let outbox: Outbox
    /// nil: the caller is no device.
    package let device: DeviceServices?
    let surroundings: Surroundings
    let logger: Logger

    /// A call of the API that does not wait in the outbox is told after so long that it is offline.
    package static let answerLimit: Duration = .seconds(15)

    init(_ configuration: AccountConfiguration, with dependencies: AccountDependencies) throws {
        let (ingest, machine) = (dependencies.ingest, dependencies.machine)
        let (surroundings, logger) = (dependencies.surroundings, dependencies.logger)
        let store = ingest.store
        let (account, device) = try Account.ofDevice(configuration, with: dependencies)
        let registration = DeviceAuthorizer(
            account: account, device: device, secrets: machine.secrets, store: store,
            surroundings: surroundings, logger: logger)
        let attestor = try Attestor(
            account: account, device: device.id, machine: machine, store: store, logger: logger)
        let profile = try Profile(account, store: store)
        let client = APIClient(
            account: account, profile: profile, transport: dependencies.transport,
            authorizer: registration, attestor: attestor, clocks: ingest.clocks,
            surroundings: surroundings)
        let outbox = Outbox(
            account: account, client: client, authorizer: registration, ingest: ingest,
            outcomes: dependencies.outcomes, surroundings: surroundings, logger: logger,
            onFailures: dependencies.onNews)
        let push = PushRegistrar(
            account: account, device: device, profile: profile, client: client, authorizer: registration,
            store: store, surroundings: surroundings, logger: logger)
        feed = Feed(
            account: account, client: client, authorizer: registration, ingest: ingest,
            surroundings: surroundings, logger: logger, onSynced: dependencies.onNews,
            onConnected: { again in
                if again { try outbox.sendNow() }
                push.look()
            })
        outbox.onRefused = { [weak feed] in feed?.revalidate(because: .refusal) }
        self.device = DeviceServices(registration: registration, attestor: attestor, push: push)
        (self.account, self.profile, self.outbox) = (account, profile, outbox)
        (self.surroundings, self.logger) = (surroundings, logger)
    }

    /// What a verb needs that is about a device.
    package func requireDevice() throws(InvalidArgument) -> DeviceServices {
        guard let device else { throw .noDevice }
        return device
    }

    /// Whether the API takes the account for who it says it is.
    package var authentication: Authentication {
        if feed.status.isRefused { return .unauthenticated }
        return feed.status.state == .connected ? .authenticated : feed.authorizer.authentication
    }
}

/// What an account of a device has besides.
package struct DeviceServices {
    package let registration: DeviceAuthorizer
    package let attestor: Attestor
    package let push: PushRegistrar
}

extension AccountUnit {
    /// What is on its way when a reload takes the unit away has so long to arrive.
    private static let deliveryLimit: Duration = .seconds(5)

    /// Runs until `stop` moves, and then until what is on its way has arrived.
    func run(until stop: Signal) async throws {
        try await race(
            { try await endure("outbox") { try await outbox.run() } },
            {
                try await runBesideOutbox(until: stop)
                // Broken off, it would have to be sent again, and may have arrived.
                try await outbox.finish(within: Self.deliveryLimit)
            })
    }

    private func runBesideOutbox(until stop: Signal) async throws {
        var lives: [@MainActor () async throws -> Void] = [
            { try await endure("feed") { try await feed.run() } },
            { try await endure("registration") { try await feed.authorizer.run(by: feed.client) } },
            { try await endure("inbox") { try await feed.followInbox() } },
            { try await stop.wait(past: 0) },
        ]
        if let device {
            lives.append { try await endure("attestation") { try await attest(by: device.attestor) } }
            lives.append { try await endure("push") { try await device.push.run() } }
        }
        try await race(lives)
    }

    private func attest(by attestor: Attestor) async throws {
        try await attestor.run(by: feed.client, after: feed.connection.opened, surroundings)
    }

    private func endure(_ what: String, _ body: @MainActor () async throws -> Void) async throws {
        try await enduring(what, surroundings, logger, body)
    }

    /// The person does not want to wait any longer.
    package func reconnect() throws {
        feed.revalidate(because: .person)
        try outbox.hasten()
    }
}

/// What all accounts share and each is made with.
struct AccountDependencies {
    let ingest: Ingest
    let transport: Transport
    let machine: Machine
    let outcomes: Outcomes
    let surroundings: Surroundings
    let logger: Logger
    /// Called when there may be something to announce: a first sync is complete, a message was not sent.
    let onNews: () -> Void
}

extension Account {
    /// The account that the store has for `configuration`, made where it is new, and its device.
    fileprivate static func ofDevice(
        _ configuration: AccountConfiguration, with dependencies: AccountDependencies
    ) throws -> (Account, Device) {
        let machine = dependencies.machine
        let record = try Ingest.account(
            name: configuration.name, appID: configuration.appID, apiURL: configuration.apiURL.description,
            in: dependencies.ingest.store
        ) { machine.devices.device(of: configuration) ?? DeviceID("device_" + UUID().uuidString) }
        // Only a damaged row has none: the API refuses it, and `status` says so.
        let id = record.deviceID ?? DeviceID("")
        machine.devices.keep(id, of: configuration, dependencies.logger)
        let device = Device(
            appID: configuration.appID, id: id, facts: machine.facts(for: configuration))
        let account = Account(
            id: record.id, configuration: configuration, kind: .device(device), perspective: .person)
        return (account, device)
    }
}
