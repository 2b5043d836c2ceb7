import Config
import CutieAPI
import Domain
package import EventLog
package import HTTP
import Identity
package import Logging

/// Reports to the API of each account, once per run of the daemon, that the device is in use. Requires the
/// user's consent for all accounts or for the app that owns the account. The report contains a hash of the
/// device ID. Failures are only logged.
package final class ActivityPinger {
    private let consent: ActivityConsent
    private let accounts: AccountRegistry
    private let ingest: Ingest
    private let httpClient: HTTPClient
    private let logger: Logger
    /// The accounts for which a ping was attempted.
    private var pingedAccounts: Set<String> = []

    package init(
        consent: ActivityConsent, accounts: AccountRegistry, ingest: Ingest, httpClient: HTTPClient,
        logger: Logger
    ) {
        (self.consent, self.accounts, self.ingest) = (consent, accounts, ingest)
        (self.httpClient, self.logger) = (httpClient, logger)
    }

    package func run() async throws {
        while true {
            let (decided, seen) = (consent.changes.count, ingest.head.advances.count)
            let listed = accounts.changes.count
            let pending = try accounts.units.filter {
                try !pingedAccounts.contains($0.account.name) && consent.isPingAllowed(for: $0.account.name)
            }
            for unit in pending where unit.feed.status.state == .connected {
                pingedAccounts.insert(unit.account.name)
                await sendPing(for: unit)
            }
            if pending.allSatisfy({ pingedAccounts.contains($0.account.name) }) {
                try await waitForFirstChange(
                    of: consent.changes, past: decided, or: accounts.changes, past: listed)
            } else {
                // Some accounts are not connected yet. Wait for a change of the consent, or for a log entry:
                // each new connection adds a log entry.
                try await waitForFirstChange(
                    of: ingest.head.advances, past: seen, or: consent.changes, past: decided)
            }
        }
    }

    private func waitForFirstChange(
        of first: ChangeSignal, past firstCount: Int64, or second: ChangeSignal, past secondCount: Int64
    ) async throws {
        try await race(
            { try await first.wait(past: firstCount) }, { try await second.wait(past: secondCount) })
    }

    private func sendPing(for unit: AccountUnit) async {
        guard let device = unit.account.device else { return }
        let account = unit.account
        let ping = ActivityPing(
            hashedDeviceID: DeviceProof.hashedID(
                of: device.id, bundleID: account.configuration.bundleID ?? ""), device: device.facts)
        // Send no header with the device ID: the report must identify the device only by the hash of the ID.
        let caller = AnonymousClient(account, device: nil, httpClient: httpClient)
        do { _ = try await caller.send(Endpoint.activityPing(ping).request) } catch {
            logger.debug("an activity ping was not accepted", metadata: ["reason": "\(error)"])
        }
    }
}
