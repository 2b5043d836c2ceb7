import Config
import ControlAPI
import CutieAPI
package import HTTP
import Identity
package import Log
package import Logging

/// Tells each account's API once a start that the device is in use: with the person's consent, under a hash,
/// and without a word where it fails.
package final class ActivityPinger {
    private let consent: ActivityConsent
    private let accounts: Accounts
    private let ingest: Ingest
    private let transport: Transport
    private let logger: Logger
    /// The accounts that were told of, or to whom it was tried.
    private var done: Set<String> = []

    package init(
        consent: ActivityConsent, accounts: Accounts, ingest: Ingest, transport: Transport,
        logger: Logger
    ) {
        (self.consent, self.accounts, self.ingest) = (consent, accounts, ingest)
        (self.transport, self.logger) = (transport, logger)
    }

    package func run() async throws {
        while true {
            let decided = consent.changes.count
            if try consent.decision() == true {
                try await pingAll(until: decided)
            } else {
                try await consent.changes.wait(past: decided)
            }
        }
    }

    /// Follows the log, in which connections are told, for as long as there is consent.
    private func pingAll(until decided: Int64) async throws {
        while consent.changes.count == decided {
            let (seen, listed) = (ingest.head.moves.count, accounts.changes.count)
            for unit in accounts.units where unit.feed.status.state == .connected {
                guard done.insert(unit.account.name).inserted else { continue }
                await ping(unit)
            }
            if accounts.units.allSatisfy({ done.contains($0.account.name) }) {
                // Nothing is left to do before the list or the consent changes.
                return try await either(consent.changes, decided, accounts.changes, listed)
            }
            try await either(ingest.head.moves, seen, consent.changes, decided)
        }
    }

    private func either(_ first: Signal, _ known: Int64, _ second: Signal, _ knownToo: Int64) async throws {
        try await race({ try await first.wait(past: known) }, { try await second.wait(past: knownToo) })
    }

    private func ping(_ unit: AccountUnit) async {
        guard let device = unit.account.device else { return }
        let account = unit.account
        let ping = ActivityPing(
            hashedDeviceID: DeviceProof.hashedID(
                of: device.id, bundleID: account.configuration.bundleID ?? ""), device: device.facts)
        // The device's own id in a header would undo the hash.
        let caller = AnonymousClient(account, device: nil, transport: transport)
        do { _ = try await caller.answer(to: Endpoint.activityPing(ping).request) } catch {
            logger.debug("an activity ping was not taken", metadata: ["reason": "\(error.sentence)"])
        }
    }
}
