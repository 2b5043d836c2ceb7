import Config
import CutieAPI
import Identity

/// What makes this machine a device: a place for secrets, keys to attest with, and facts about it.
struct Machine {
    let secrets: SecretStore
    let keys: AttestationKeys
    let devices: DeviceBook
    /// Uncut: the device context of an account says what may be told.
    let facts: DeviceFacts

    /// Throws where the credential that systemd handed over cannot be used.
    init(
        secrets choice: Configuration.SecretStorage, directory: String, environment: [String: String]
    ) throws(SecretFailure) {
        secrets = try SecretStore(
            SecretStore.Choice(choice), directory: directory, environment: environment)
        devices = DeviceBook(in: directory)
        keys = AttestationKeys(in: secrets, environment: environment)
        facts = DeviceFacts.ofThisMachine(environment: environment)
    }

    /// What an account's configuration lets be told.
    func facts(for configuration: AccountConfiguration) -> DeviceFacts {
        var facts = facts
        facts.appVersion = configuration.appVersion.map { version in
            configuration.appBuild.map { "\(version) (\($0))" } ?? version
        }
        return configuration.deviceContext.cut(facts)
    }
}
