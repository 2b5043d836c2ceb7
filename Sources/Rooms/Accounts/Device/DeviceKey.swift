package import AttestationFormat
import Config
import CutieAPI
import Identity
import Store

/// The key that a device attests with: its secret, and what the store knows of it.
final class DeviceKey {
    private let account: Account
    private let device: DeviceID
    private let name: SecretName
    private let machine: Machine
    private let store: Store
    private var key: AttestationKey?
    private(set) var record: AttestationRecord

    init(of device: DeviceID, _ account: Account, on machine: Machine, store: Store) throws {
        (self.account, self.device) = (account, device)
        (self.machine, self.store) = (machine, store)
        name = SecretName(
            account: account.name, address: account.address, type: .attestationKey,
            subject: device.rawValue)
        record =
            try store.read { try $0.settings.value(of: AttestationRecord.setting(of: account.id)) } ?? .init()
        record.leaveGap()
    }

    /// Where it is to live; nil for `off`.
    var choice: AttestationKeys.Choice? { AttestationKeys.Choice(account.configuration.attestation) }

    /// Whether this machine has one of the configured kind; throws why not.
    func checkSupport() async throws(SigningFailure) {
        if choice == .tpm2 { try await machine.keys.checkTPM() }
    }

    /// The key of the record; nil where it is gone, or is to be another.
    func find() async throws -> AttestationKey? {
        if let key { return key }
        guard let choice, let found = try await machine.keys.key(name, choice), found.id == record.keyID
        else { return nil }
        key = found
        return found
    }

    /// A new one, whose secret takes the place of the former's; it signs no request before `adopt`.
    func make(_ choice: AttestationKeys.Choice) async throws -> AttestationKey {
        try await machine.keys.make(name, choice)
    }

    /// From now on it is `key`, which the server has taken.
    func adopt(_ key: AttestationKey) throws {
        try keep(AttestationRecord(keyID: key.id, environment: key.environment))
        self.key = key
    }

    /// From now on there is none. The secret stays.
    func drop(wasReset: Bool = false) throws {
        key = nil
        try keep(AttestationRecord(wasReset: wasReset))
    }

    /// Takes the secret away.
    func deleteSecret() async throws { try await machine.secrets.delete(name) }

    private func keep(_ record: AttestationRecord) throws {
        try store.write { try $0.settings.set(AttestationRecord.setting(of: account.id), to: record) }
        self.record = record
    }
}

extension DeviceKey {
    /// What `X-App-Assertion` carries; nil where the device is not attested, or its key is not to be had.
    func assertion(about request: APIRequest) async throws -> String? {
        guard request.needsAssertion, record.keyID != nil, let key = try await find() else { return nil }
        let subject = AssertionSubject(request, device: device)
        return try await key.assertion(about: subject) { try self.nextCounter() }
    }

    /// Shows that the key is still held; nil where it is not to be had.
    func assertion(answering challenge: Attestation.Challenge) async throws -> Attestation.Assertion? {
        guard let id = record.keyID, let key = try await find() else { return nil }
        let text = challenge.clientData(keyID: id)
        let assertion = try await key.assertion(about: .clientData(text)) { try self.nextCounter() }
        return Attestation.Assertion(keyID: id, assertion: assertion, clientData: text)
    }

    /// Written before it is used, so that no crash has it used twice.
    private func nextCounter() throws -> UInt64 {
        var next = record
        next.counter += 1
        try keep(next)
        return next.counter
    }
}

/// What the store knows of the key that a device attested with.
package struct AttestationRecord: Codable, Equatable {
    /// nil: not attested.
    package var keyID: String?
    package var environment: AttestationEnvironment?
    /// The last one that was used by that key.
    package var counter: UInt64 = 0
    /// The person wants none until `ctl attest renew`.
    package var wasReset = false

    static func setting(of account: AccountID) -> Setting<Self> { Setting("attestation", of: account) }

    /// A power cut may have taken the last writes back, and a counter that comes twice is refused.
    mutating func leaveGap() { if keyID != nil { counter += 1000 } }
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
