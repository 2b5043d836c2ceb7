package import Config
import CutieAPI
package import EventLog
package import Identity
package import Logging
import Platform
import Reasons
import Store

/// Moves secrets to the configured store: at startup, after each reload, and periodically, because a keyring
/// may have become available.
package final class SecretMover {
    private static let interval: Duration = .seconds(6 * 3600)
    /// The delay of the first retry: after a login, the keyring may start shortly after the daemon.
    private static let shortDelay: Duration = .seconds(5)
    let secrets: SecretStore
    private let log: LogWriter
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private let changes = ChangeSignal()
    private var reportedProblems: Set<String> = []
    private var reportedLocation = ""
    /// The value of the configuration key `secrets`.
    package var choice = Configuration.SecretStorage.auto {
        didSet { changes.notify() }
    }

    package init(
        _ secrets: SecretStore, log: LogWriter, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.secrets, self.log) = (secrets, log)
        (self.runtime, self.logger) = (runtime, logger)
    }

    /// Makes `run` check again whether secrets must be moved.
    package func recheckLocation() { changes.notify() }

    package func run() async throws {
        var pause = Self.shortDelay
        while true {
            let seen = changes.count
            await secrets.setStorageChoice(choice)
            if await moveSecrets() { pause = Self.interval }
            Memory.releaseMemory()
            try await runtime.wait(for: changes, past: seen, atMost: pause)
            pause = Self.interval
        }
    }

    /// Moves all secrets. Returns `false` if a temporary problem prevented the move.
    private func moveSecrets() async -> Bool {
        do {
            try await secrets.moveSecretsToConfiguredLocation()
            for account in try log.store.read({ try $0.accounts.fetchAll() }) {
                try await moveLegacyToken(of: account)
            }
        } catch {
            if reportedProblems.insert("\(error)").inserted {
                logger.warning("secrets could not be moved; retrying later", metadata: ["reason": "\(error)"])
            }
        }
        let place = await secrets.resolveLocation()
        if place.description != reportedLocation {
            reportedLocation = place.description
            logger.info("secrets are stored", metadata: ["where": "\(place)"])
        }
        for note in place.notes.map(\.english) where reportedProblems.insert(note).inserted {
            logger.warning("\(note)")
        }
        return place.problem == nil && place.waiting == 0
    }

    /// Moves the token of an account that is not running. The authorizer of a running account moves its own
    /// token.
    private func moveLegacyToken(of record: AccountRecord) async throws {
        guard let former = record.legacyToken, let device = record.deviceID, !log.isOpen(record.id),
            let address = try? APIAddress(record.apiURL)
        else { return }
        let name = SecretName(
            account: record.name, address: address, type: .deviceToken, subject: device.rawValue)
        if try await secrets.findSecret(named: name) == nil {
            try await secrets.store(Secret(DeviceToken(former)), as: name)
        }
        try Ingest.deleteLegacyToken(of: record.id, in: log.store)
    }
}
