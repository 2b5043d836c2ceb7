import AttestationFormat
import Config
import CutieAPI
import Identity
import Store

/// The key that a device attests with: its secret, and what the store knows of it.
final class DeviceKey {
    private let account: Account
    private let name: SecretName
    private let machine: Machine
    private let store: Store
    private var key: AttestationKey?
    private(set) var record: AttestationRecord

    init(of account: Account, on machine: Machine, store: Store) throws {
        (self.account, self.machine, self.store) = (account, machine, store)
        name = SecretName(
            account: account.name, address: account.address, type: .attestationKey,
            subject: account.credential.deviceID.rawValue)
        record = try store.read { try $0.value(of: AttestationRecord.setting(of: account.id)) } ?? .init()
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

    /// A new one, whose secret takes the place of the former's; it signs no request before `take`.
    func make(_ choice: AttestationKeys.Choice) async throws -> AttestationKey {
        try await machine.keys.make(name, choice)
    }

    /// From now on it is `key`, which the server has taken.
    func take(_ key: AttestationKey) throws {
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
        try store.write { try $0.set(AttestationRecord.setting(of: account.id), to: record) }
        self.record = record
    }
}

extension DeviceKey {
    /// What `X-App-Assertion` carries; nil where the device is not attested, or its key is not to be had.
    func assertion(about request: APIRequest) async throws -> String? {
        guard request.needsAssertion, record.keyID != nil, let key = try await find() else { return nil }
        let subject = AssertionSubject(request, device: account.credential.deviceID)
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
