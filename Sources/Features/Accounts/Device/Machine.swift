package import Config
import CutieAPI
package import Identity
import Logging
import Platform

/// The secrets, the attestation keys and the facts of this computer, which all device accounts share.
package struct Machine {
    package let secrets: SecretStore
    let keys: AttestationKeys
    let devices: DeviceIDFile
    private let environment: [String: String]
    private let session: () -> [String: String]

    /// Creates the secret store and the file of device IDs. Throws if the systemd credential cannot be used.
    /// `session`: returns the session's current environment, or an empty dictionary if the environment of
    /// this process applies.
    package init(
        secrets storage: Configuration.SecretStorage, directory: String, environment: [String: String],
        session: @escaping () -> [String: String] = { [:] }
    ) throws(SecretFailure) {
        secrets = try SecretStore(
            storage, directory: directory, environment: environment)
        devices = DeviceIDFile(in: directory)
        keys = AttestationKeys(in: secrets, environment: environment)
        (self.environment, self.session) = (environment, session)
    }

    /// Returns the device facts that the account's configuration allows. The facts are read at each call,
    /// because the language of the session and the version of the system may change while the daemon runs.
    func collectFacts(for configuration: AccountConfiguration) -> DeviceFacts {
        let session = session()
        var facts = DeviceFacts.readFromThisMachine(environment: session.isEmpty ? environment : session)
        facts.appVersion = configuration.appVersion.map { version in
            configuration.appBuild.map { "\(version) (\($0))" } ?? version
        }
        return configuration.deviceContext.allowedFacts(in: facts)
    }
}

/// Stores the device IDs in a file as a backup for the database. Without its device ID, a device cannot
/// access the user's conversations.
struct DeviceIDFile {
    private static let limit = 256 << 10
    private let path: String

    /// Uses a file in `directory`, which is the state directory.
    init(in directory: String) { path = directory + "/devices" }

    private struct Entry: Codable, Equatable {
        let account: String
        let appID: String
        let apiURL: String
        var device: DeviceID

        init(_ configuration: AccountConfiguration, device: DeviceID) {
            (account, appID) = (configuration.name, configuration.appID)
            (apiURL, self.device) = (configuration.apiURL.description, device)
        }

        func isSameAccount(as other: Entry) -> Bool {
            (account, appID, apiURL) == (other.account, other.appID, other.apiURL)
        }
    }

    /// Returns the stored device ID of an account; `nil` if none is stored.
    func deviceID(for configuration: AccountConfiguration) -> DeviceID? {
        let wanted = Entry(configuration, device: "")
        return entries.first(where: wanted.isSameAccount)?.device
    }

    /// Stores the device ID if it is new. A failure is only logged, because the database also contains the
    /// device ID.
    func save(_ device: DeviceID, for configuration: AccountConfiguration, logger: Logger) {
        let (known, entry) = (entries, Entry(configuration, device: device))
        guard !known.contains(entry) else { return }
        do {
            try SmallFile.replace(
                path, with: JSON.encode(known.filter { !entry.isSameAccount(as: $0) } + [entry]))
        } catch {
            logger.warning("the device id is stored only in the database", metadata: ["reason": "\(error)"])
        }
    }

    private var entries: [Entry] {
        guard let bytes = try? SmallFile.read(path, sizeLimit: Self.limit), bytes.count <= Self.limit else {
            return []
        }
        return (try? JSON.decode(from: bytes)) ?? []
    }
}
