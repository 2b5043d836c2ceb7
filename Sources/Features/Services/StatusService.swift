package import Accounts
package import CutieAPI
package import EventLog
package import Notifications
import Store

/// Reads the state of the accounts and of the outbox.
package struct StatusService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let screen: NotificationScreen
    private let runtime: RuntimeEnvironment

    package init(
        ingest: Ingest, accounts: AccountRegistry, screen: NotificationScreen,
        runtime: RuntimeEnvironment
    ) {
        (self.ingest, self.accounts) = (ingest, accounts)
        (self.screen, self.runtime) = (screen, runtime)
    }

    /// An account with the status data that the database contains.
    package struct AccountSummary {
        package let unit: AccountUnit
        /// The display name of the account.
        package let title: String?
        /// The name of the account that counts the messages of the shared inbox; `nil` if this account counts
        /// them.
        package let inboxOf: String?
        package let lastEventAt: Timestamp?
        /// The numbers of pending and of failed outbox items.
        package let outbox: (waiting: Int, failed: Int)
    }

    /// Queries the notification server, with a timeout, so that a server that hangs does not delay the
    /// status.
    package func queryNotificationServer() async throws {
        _ = try await runtime.withTimeout(.seconds(1)) { [screen] in await screen.verifyServer() }
    }

    package func fetchAccountSummaries() throws -> [AccountSummary] {
        let titles = try accounts.fetchDisplayNames()
        return try ingest.store.read { transaction in
            let records = try transaction.accounts.fetchAll()
            return try accounts.units.map { unit in
                AccountSummary(
                    unit: unit, title: titles[unit.account.name],
                    inboxOf: nameOfAccountInBadge(insteadOf: unit),
                    lastEventAt: records.first { $0.id == unit.account.id }?.lastEventAt,
                    outbox: try transaction.outbox.fetchCounts(of: unit.account.id))
            }
        }
    }

    private func nameOfAccountInBadge(insteadOf unit: AccountUnit) -> String? {
        ingest.countsTowardBadge(unit.account.id)
            ? nil : accounts.name(of: ingest.inboxes.countingAccount(for: unit.account.id))
    }

    /// Returns the number of outbox items of accounts that are no longer configured. These items are not
    /// sent.
    package func countOrphanedItems() throws -> Int {
        try ingest.store.read { transaction in
            let gone = try transaction.accounts.fetchAll().map(\.id).filter { accounts[$0] == nil }
            return try gone.reduce(0) { sum, account in
                let counts = try transaction.outbox.fetchCounts(of: account)
                return sum + counts.waiting + counts.failed
            }
        }
    }
}
