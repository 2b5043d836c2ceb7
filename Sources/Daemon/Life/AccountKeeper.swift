import Config
import CutieAPI
import FoundationEssentials
import HTTP
import Logging
import Store

/// Keeps a feed and an outbox running for each account of the configuration in force.
final class AccountKeeper {
    private let accounts: Accounts
    private let ingest: Ingest
    private let transport: Transport
    private let machine: Machine
    private let surroundings: Surroundings
    private let logger: Logger
    /// Called when there may be something to announce: a first sync is complete, a message was not sent.
    private let onNews: () -> Void
    /// What ends each account at work.
    private var stops: [ObjectIdentifier: (unit: AccountUnit, stop: Head)] = [:]
    /// Two units of an account at once would send twice: the next one waits until the former has ended.
    private var turns: [AccountID: Turn] = [:]
    private let outcomes: Outcomes

    /// What is on its way when a reload takes its unit away has so long to arrive.
    private static let patience: Duration = .seconds(5)

    init(
        accounts: Accounts, ingest: Ingest, transport: Transport, machine: Machine,
        surroundings: Surroundings, logger: Logger, onNews: @escaping () -> Void
    ) {
        (self.accounts, self.ingest, self.transport) = (accounts, ingest, transport)
        self.machine = machine
        (self.surroundings, self.logger, self.onNews) = (surroundings, logger, onNews)
        outcomes = Outcomes(store: ingest.store, surroundings: surroundings)
    }

    /// Makes the accounts what `configurations` say; one that did not change goes on undisturbed.
    func apply(_ configurations: [AccountConfiguration]) throws {
        let before = accounts.units
        let after = try configurations.map { wanted in
            try before.first { $0.account.configuration == wanted } ?? unit(for: wanted)
        }
        try ingest.open(only: after.map(\.account.id))
        accounts.replace(with: after)
    }

    /// Runs what the accounts need until it is cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let seen = accounts.changes.value
                await stopTheGone()
                for unit in accounts.units where stops[ObjectIdentifier(unit.feed)] == nil {
                    let stop = Head()
                    stops[ObjectIdentifier(unit.feed)] = (unit, stop)
                    group.addTask { try await self.run(unit, until: stop) }
                }
                try await accounts.changes.passed(seen)
            }
        }
    }

    private func stopTheGone() async {
        let current = Set(accounts.units.map { ObjectIdentifier($0.feed) })
        for (key, (unit, stop)) in stops where !current.contains(key) {
            stop.advance()
            stops[key] = nil
            // Its pool has a policy that may not be in force any more.
            await transport.retire(unit.account.tls)
        }
    }

    private func run(_ unit: AccountUnit, until stop: Head) async throws {
        let turn = turns[unit.account.id] ?? Turn()
        turns[unit.account.id] = turn
        try await turn.alone {
            // While it waited, a reload may have put another one in its place.
            if stop.value == 0 { try await self.work(unit, until: stop) }
        }
    }

    private func work(_ unit: AccountUnit, until stop: Head) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [surroundings, logger] in
                try await enduring("outbox", surroundings, logger) { try await unit.outbox.run() }
            }
            group.addTask { [self] in
                try await workBesideOutbox(unit, until: stop)
                // Broken off, it would have to be sent again, and may have arrived.
                try await unit.outbox.finish(within: Self.patience)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func workBesideOutbox(_ unit: AccountUnit, until stop: Head) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [surroundings, logger] in
                try await enduring("feed", surroundings, logger) { try await unit.feed.run() }
            }
            group.addTask { [surroundings, logger] in
                try await enduring("attestation", surroundings, logger) {
                    try await unit.attestor.run(by: unit.feed.client, surroundings)
                }
            }
            group.addTask { [surroundings, logger] in
                try await enduring("push", surroundings, logger) { try await unit.push.run() }
            }
            group.addTask { try await stop.passed(0) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func unit(for configuration: AccountConfiguration) throws -> AccountUnit {
        let record = try ingest.store.write {
            try $0.account(
                name: configuration.name, appID: configuration.appID,
                apiURL: configuration.apiURL.description
            ) { machine.devices.device(of: configuration) ?? DeviceID("device_" + UUID().uuidString) }
        }
        machine.devices.keep(record.deviceID, of: configuration, logger)
        let account = Account(
            id: record.id, configuration: configuration,
            credential: .device(appID: configuration.appID, id: record.deviceID),
            facts: machine.facts(for: configuration))
        let safe = TokenSafe(account: account, secrets: machine.secrets, store: ingest.store, logger: logger)
        let authorizer = DeviceAuthorizer(account: account, safe: safe)
        let attestor = try Attestor(
            account: account, machine: machine, store: ingest.store, logger: logger)
        let profile = try Profile(account, store: ingest.store)
        let client = APIClient(
            account: account, profile: profile, transport: transport, authorizer: authorizer,
            attestor: attestor, surroundings: surroundings)
        let outbox = Outbox(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            outcomes: outcomes, surroundings: surroundings, logger: logger, onFailures: onNews)
        let push = PushRegistrar(
            account: account, profile: profile, client: client, authorizer: authorizer,
            store: ingest.store, surroundings: surroundings, logger: logger)
        let feed = Feed(
            account: account, client: client, authorizer: authorizer, ingest: ingest,
            surroundings: surroundings, logger: logger, onSynced: onNews,
            onConnected: { again in
                if again {
                    try outbox.sendNow()
                    attestor.connections.advance()
                }
                push.look()
            })
        return AccountUnit(
            account: account, profile: profile, attestor: attestor, feed: feed, outbox: outbox, push: push)
    }
}
