package import Config
import CutieAPI
package import EventLog
package import HTTP
package import Logging
import Store

/// Runs the units of all accounts in the active configuration.
package final class AccountSupervisor {
    private let accounts: AccountRegistry
    private let dependencies: AccountDependencies
    /// The running units, with the signals that stop them.
    private var stops: [ObjectIdentifier: (unit: AccountUnit, stop: ChangeSignal)] = [:]
    /// One lock per account: a unit starts only after the previous unit of its account has ended, because two
    /// units would send messages twice.
    private var mutexes: [AccountID: AsyncMutex] = [:]
    private let taskRegistry = AccountTaskRegistry()

    package init(
        accounts: AccountRegistry, ingest: Ingest, httpClient: HTTPClient, machine: Machine,
        runtime: RuntimeEnvironment, logger: Logger,
        authorizer: ((Account) -> any Authorizer)? = nil, onPendingReplies: @escaping () -> Void
    ) {
        self.accounts = accounts
        dependencies = AccountDependencies(
            ingest: ingest, httpClient: httpClient, machine: machine,
            outcomes: OutboxResults(store: ingest.store, runtime: runtime),
            runtime: runtime, logger: logger, authorizer: authorizer, taskRegistry: taskRegistry,
            onPendingReplies: onPendingReplies)
    }

    /// Replaces the accounts with those in `configurations`. An unchanged account continues without
    /// interruption.
    package func applyConfigurations(_ configurations: [AccountConfiguration]) throws {
        let before = accounts.units
        let after = try configurations.map { wanted in
            try before.first { $0.account.configuration == wanted }
                ?? AccountUnit(wanted, with: dependencies)
        }
        let perspectives = try after.map { ($0.account.id, try $0.signedInUserStore.currentPerspective()) }
        try dependencies.ingest.setOpenAccounts(Dictionary(perspectives) { first, _ in first })
        accounts.replaceAccounts(with: after)
        try dependencies.ingest.updateSharedInboxes()
    }

    /// Runs the accounts, including accounts that are added later, and stops removed accounts, until
    /// cancelled.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let seen = accounts.changes.count
                await stopRemovedAccounts()
                for unit in accounts.units where stops[ObjectIdentifier(unit.feed)] == nil {
                    let stop = ChangeSignal()
                    stops[ObjectIdentifier(unit.feed)] = (unit, stop)
                    group.addTask { try await self.runAccount(unit, until: stop) }
                }
                try await accounts.changes.wait(past: seen)
            }
        }
    }

    private func stopRemovedAccounts() async {
        let current = Set(accounts.units.map { ObjectIdentifier($0.feed) })
        for (key, (unit, stop)) in stops where !current.contains(key) {
            stop.notify()
            stops[key] = nil
            // Close the connections, because the TLS policy of the account may have changed.
            await dependencies.httpClient.retireConnections(using: unit.account.tls)
        }
    }

    private func runAccount(_ unit: AccountUnit, until stop: ChangeSignal) async throws {
        let mutex = mutexes[unit.account.id] ?? AsyncMutex()
        mutexes[unit.account.id] = mutex
        try await mutex.withLock {
            // Do not run a unit that a reload replaced while the unit waited for the lock.
            guard stop.count == 0 else { return }
            // A closed account rejects writes, so the unit may fail before it receives the stop signal.
            // Ignore that error, because it must not stop the other accounts.
            do { try await unit.runUntilStopped(by: stop) } catch is CancellationError {}
        }
    }
}
