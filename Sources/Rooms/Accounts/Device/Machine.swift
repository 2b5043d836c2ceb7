package import Config
import CutieAPI
package import Identity
import Logging
import Platform

/// What makes this machine a device: a place for secrets, keys to attest with, and facts about it.
package struct Machine {
    package let secrets: SecretStore
    let keys: AttestationKeys
    let devices: DeviceBook
    private let environment: [String: String]
    private let session: () -> [String: String]

    /// Throws if the credential that systemd handed over cannot be used. `session`: the environment of the session
    /// as it is now; empty if it is the one of this process.
    package init(
        secrets choice: Configuration.SecretStorage, directory: String, environment: [String: String],
        session: @escaping () -> [String: String] = { [:] }
    ) throws(SecretFailure) {
        secrets = try SecretStore(
            SecretStore.Choice(choice), directory: directory, environment: environment)
        devices = DeviceBook(in: directory)
        keys = AttestationKeys(in: secrets, environment: environment)
        (self.environment, self.session) = (environment, session)
    }

    /// Returns the facts that an account's configuration allows to send, read from the system at each call: a session
    /// may begin in another language, and the system may be upgraded, while this program runs.
    func facts(for configuration: AccountConfiguration) -> DeviceFacts {
        let session = session()
        var facts = DeviceFacts.ofThisMachine(environment: session.isEmpty ? environment : session)
        facts.appVersion = configuration.appVersion.map { version in
            configuration.appBuild.map { "\(version) (\($0))" } ?? version
        }
        return configuration.deviceContext.cut(facts)
    }
}

/// Which device this is, beside the database: where that is lost and a fresh one begun, another device would
/// find none of the person's threads.
struct DeviceBook {
    private static let limit = 256 << 10
    private let path: String

    /// `directory`: the state's.
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

        func isOfSame(_ other: Entry) -> Bool {
            (account, appID, apiURL) == (other.account, other.appID, other.apiURL)
        }
    }

    /// The device that an account had; nil where none is known.
    func device(of configuration: AccountConfiguration) -> DeviceID? {
        let wanted = Entry(configuration, device: "")
        return entries.first(where: wanted.isOfSame)?.device
    }

    /// Writes only what is new. Without it nothing is amiss as long as the database lives.
    func keep(_ device: DeviceID, of configuration: AccountConfiguration, _ logger: Logger) {
        let (known, entry) = (entries, Entry(configuration, device: device))
        guard !known.contains(entry) else { return }
        do {
            try SmallFile.replace(path, with: JSON.encode(known.filter { !entry.isOfSame($0) } + [entry]))
        } catch {
            logger.warning("the device is only in the database", metadata: ["reason": "\(error)"])
        }
    }

    private var entries: [Entry] {
        guard let bytes = try? SmallFile.read(path, limit: Self.limit), bytes.count <= Self.limit else {
            return []
        }
        return (try? JSON.decode(from: bytes)) ?? []
    }
}
