package import AttestationFormat
import Config
import CutieAPI
import Identity
import Store

/// The attestation key of a device: the secret and its record in the database.
final class DeviceKey {
    private let account: Account
    private let device: DeviceID
    private let name: SecretName
    private let machine: Machine
    private let store: MessageStore
    private var key: AttestationKey?
    private(set) var record: AttestationRecord

    init(of device: DeviceID, account: Account, on machine: Machine, store: MessageStore) throws {
        (self.account, self.device) = (account, device)
        (self.machine, self.store) = (machine, store)
        name = SecretName(
            account: account.name, address: account.address, type: .attestationKey,
            subject: device.rawValue)
        record =
            try store.read { try $0.settings.fetchValue(of: AttestationRecord.storedSetting(of: account.id)) }
            ?? .init()
        record.skipCountersAfterRestore()
    }

    /// The configured kind of key; `nil` if attestation is off.
    var choice: AttestationKeys.Choice? { AttestationKeys.Choice(account.configuration.attestation) }

    /// Checks that this computer supports the configured kind of key. Throws the reason if the kind is not
    /// supported.
    func checkSupport() async throws(SigningFailure) {
        if choice == .tpm2 { try await machine.keys.requireTPM() }
    }

    /// Loads and returns the recorded key; `nil` if the key is missing or another kind is configured.
    func loadKey() async throws -> AttestationKey? {
        if let key { return key }
        guard let choice, let found = try await machine.keys.findKey(named: name, choice: choice),
            found.id == record.keyID
        else { return nil }
        key = found
        return found
    }

    /// Creates a key, whose secret replaces the previous secret. The key is not used for signatures until
    /// `adopt` is called.
    func createKey(for choice: AttestationKeys.Choice) async throws -> AttestationKey {
        try await machine.keys.createKey(named: name, choice: choice)
    }

    /// Records `key`, which the server has accepted, and uses it for signatures.
    func adopt(_ key: AttestationKey) throws {
        try save(AttestationRecord(keyID: key.id, environment: key.environment))
        self.key = key
    }

    /// Removes the record of the key, but not its secret. `wasReset`: whether the user removed the key.
    func deleteRecord(wasReset: Bool = false) throws {
        key = nil
        try save(AttestationRecord(wasReset: wasReset))
    }

    func deleteSecret() async throws { try await machine.secrets.deleteSecret(named: name) }

    private func save(_ record: AttestationRecord) throws {
        try store.write {
            try $0.settings.setValue(of: AttestationRecord.storedSetting(of: account.id), to: record)
        }
        self.record = record
    }
}

extension DeviceKey {
    /// Returns the value of `X-App-Assertion`; `nil` if the request needs no assertion, the device is not
    /// attested, or its key is unavailable.
    func makeAssertion(about request: APIRequest) async throws -> String? {
        guard request.needsAssertion, record.keyID != nil, let key = try await loadKey() else { return nil }
        let subject = AssertionSubject(request, device: device)
        return try await key.makeAssertion(about: subject) { try self.reserveCounter() }
    }

    /// Returns a signature for the challenge, which proves possession of the key; `nil` if the key is
    /// unavailable.
    func makeAssertion(for challenge: Attestation.Challenge) async throws -> Attestation.Assertion? {
        guard let id = record.keyID, let key = try await loadKey() else { return nil }
        let text = challenge.clientData(keyID: id)
        let assertion = try await key.makeAssertion(about: .clientData(text)) { try self.reserveCounter() }
        return Attestation.Assertion(keyID: id, assertion: assertion, clientData: text)
    }

    /// Returns the next counter. The counter is stored before it is used, so that it is not reused after a
    /// crash.
    private func reserveCounter() throws -> UInt64 {
        var next = record
        next.counter += 1
        try save(next)
        return next.counter
    }
}

/// The stored record of an attested key.
package struct AttestationRecord: Codable, Equatable {
    /// `nil` if the device is not attested.
    package var keyID: String?
    package var environment: AttestationEnvironment?
    /// The last counter that was used with this key.
    package var counter: UInt64 = 0
    /// Whether the user removed the key. If so, no key is created until `ctl attest renew`.
    package var wasReset = false

    static func storedSetting(of account: AccountID) -> StoredSetting<Self> {
        StoredSetting("attestation", of: account)
    }

    /// Skips counters after the record was restored from the database. A power failure may have lost the last
    /// writes, and the server refuses a reused counter.
    mutating func skipCountersAfterRestore() { if keyID != nil { counter += 1000 } }
}

extension AttestationKeys.Choice {
    fileprivate init?(_ configured: AccountConfiguration.Attestation) {
        switch configured {
        case .off: return nil
        case .auto: self = .auto
        case .tpm2: self = .tpm2
        case .software: self = .software
        }
    }
}
