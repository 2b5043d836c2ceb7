import Config
import HTTP
import Logging
import Store

/// Keeps a feed and an outbox running for each account of the configuration in force.
final class AccountKeeper {
    private let accounts: Accounts
    private let dependencies: AccountDependencies
    /// What ends each account at work.
    private var stops: [ObjectIdentifier: (unit: AccountUnit, stop: Head)] = [:]
    /// Two units of an account at once would send twice: the next one waits until the former has ended.
    private var turns: [AccountID: Turn] = [:]

    init(
        accounts: Accounts, ingest: Ingest, transport: Transport, machine: Machine,
        surroundings: Surroundings, logger: Logger, onNews: @escaping () -> Void
    ) {
        self.accounts = accounts
        dependencies = AccountDependencies(
            ingest: ingest, transport: transport, machine: machine,
            outcomes: Outcomes(store: ingest.store, surroundings: surroundings),
            surroundings: surroundings, logger: logger, onNews: onNews)
        accounts.inboxes = { ingest.inboxes }
        ingest.onFreed = onNews
        ingest.members = { [weak accounts] in try accounts?.members() ?? [] }
    }

    /// Makes the accounts what `configurations` say; one that did not change goes on undisturbed.
    func apply(_ configurations: [AccountConfiguration]) throws {
        let before = accounts.units
        let after = try configurations.map { wanted in
            try before.first { $0.account.configuration == wanted }
                ?? AccountUnit(wanted, with: dependencies)
        }
        try dependencies.ingest.open(only: after.map(\.account.id))
        accounts.replace(with: after)
        try dependencies.ingest.regroup()
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
            await dependencies.transport.retire(unit.account.tls)
        }
    }

    private func run(_ unit: AccountUnit, until stop: Head) async throws {
        let turn = turns[unit.account.id] ?? Turn()
        turns[unit.account.id] = turn
        try await turn.alone {
            // While it waited, a reload may have put another one in its place.
            guard stop.value == 0 else { return }
            // An account that was closed takes nothing any more, and may say so by this before it hears its stop:
            // the others would end with it.
            do { try await unit.run(until: stop) } catch is CancellationError {}
        }
    }
}
