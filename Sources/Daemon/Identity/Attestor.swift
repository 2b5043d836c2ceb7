import AttestationFormat
import Config
import CutieAPI
import Identity
import Inbox
import Logging
import Store

/// Shows the server that what a device asks for comes from one key: attests it once, and signs with it what
/// changes something. Where that does not work the device goes on without, and says why.
final class Attestor {
    let account: Account
    private let name: SecretName
    private let machine: Machine
    private let store: Store
    private let logger: Logger
    private let turn = Turn()
    private var key: AttestationKey?
    private(set) var record: AttestationRecord
    /// Why the device is not attested, or its key does not sign; nil where all is well or nothing was tried.
    private(set) var problem: String?
    /// Moves when the API is reached again.
    let connections = Head()

    init(account: Account, machine: Machine, store: Store, logger: Logger) throws {
        (self.account, self.machine, self.store, self.logger) = (account, machine, store, logger)
        name = SecretName(
            account: account.name, address: account.address, type: .attestationKey,
            subject: account.credential.deviceID.rawValue)
        record = try store.read { try $0.attestation(of: account.id) }
        record.leaveGap()
    }

    /// nil for `off`.
    var choice: AttestationKeys.Choice? { AttestationKeys.Choice(account.configuration.attestation) }

    /// Whether this machine has a key of the configured kind; throws why not.
    func checkSupport() async throws(SigningFailure) {
        if choice == .tpm2 { try await machine.keys.checkTPM() }
    }

    /// Makes a key and has the server take it, in the place of the one before.
    func attest(by client: APIClient) async throws {
        try await turn.alone { try await self.submit(by: client) }
    }

    /// The server and this machine forget the key; there is none until `attest`.
    func reset(by client: APIClient) async throws {
        try await turn.alone { try await self.forget(by: client, wasReset: true) }
    }

    /// What the server holds is made what the configuration asks for.
    func settle(by client: APIClient) async throws {
        try await turn.alone {
            guard self.choice != nil, !self.record.wasReset else {
                if self.record.keyID != nil { try await self.forget(by: client, wasReset: false) }
                return
            }
            if self.record.keyID != nil, try await self.find() != nil {
                let state = try await client.send(.attestationStatus())
                if state.attested, state.attestation?.keyID == self.record.keyID { return self.problem = nil }
            }
            try await self.submit(by: client)
        }
    }

    private func submit(by client: APIClient) async throws {
        guard let choice else { return }
        do {
            let challenge = try await client.send(.attestationChallenge())
            let key = try await machine.keys.make(name, choice)
            let answer = try await client.send(.attest(try await key.submission(for: challenge)))
            guard answer.attested else {
                throw APIFailure.fatal(
                    "the API does not take the attestation; the device goes on without")
            }
            try keep(AttestationRecord(keyID: key.id, environment: key.environment))
            (self.key, problem) = (key, nil)
            logger.notice("attested", metadata: ["environment": "\(key.environment.rawValue)"])
        } catch {
            if (error as? APIFailure)?.isFinal == true {
                key = nil
                try keep(AttestationRecord())
            }
            throw error
        }
    }

    private func forget(by client: APIClient, wasReset: Bool) async throws {
        do {
            _ = try await client.send(.removeAttestation())
        } catch APIFailure.absent {
            // It has none to remove.
        }
        try await machine.secrets.delete(name)
        key = nil
        problem = nil
        try keep(AttestationRecord(wasReset: wasReset))
    }

    private func keep(_ record: AttestationRecord) throws {
        try store.write { try $0.set(record, of: account.id) }
        self.record = record
    }
}

extension Attestor {
    /// What `X-App-Assertion` carries; nil where the device is not attested, or its key cannot be had now.
    func assertion(about request: APIRequest) async -> String? {
        guard request.needsAssertion, record.keyID != nil else { return nil }
        do {
            guard let key = try await find() else { return nil }
            let subject = AssertionSubject(request, device: account.credential.deviceID)
            return try await key.assertion(about: subject) { try self.nextCounter() }
        } catch {
            note("\(error)")
            return nil
        }
    }

    /// After a refusal of what was signed by the key `keyID`: true where a repeat may succeed. The server may
    /// have forgotten the key; then another takes its place.
    func recover(
        from code: ErrorCode, of keyID: String?, by client: APIClient
    ) async throws(APIFailure) -> Bool {
        switch code {
        case .assertionReplayed: return true
        case .assertionRequired, .assertionInvalid, .notAttested: break
        default: return false
        }
        do {
            try await turn.alone {
                guard self.record.keyID == keyID else { return }
                guard self.choice != nil, !self.record.wasReset else {
                    return try await self.forget(by: client, wasReset: self.record.wasReset)
                }
                try await self.submit(by: client)
            }
            return true
        } catch let failure as APIFailure where failure.isFinal {
            // Unsigned then: a server that has no key of ours has nothing to compare with.
            note(failure.sentence)
            return true
        } catch let failure as APIFailure {
            throw failure
        } catch {
            note("\(error)")
            return false
        }
    }

    func note(_ problem: String) {
        if problem != self.problem { logger.warning("not attested", metadata: ["reason": "\(problem)"]) }
        self.problem = problem
    }

    /// The key of the record; nil where it is gone, or is to be another.
    private func find() async throws -> AttestationKey? {
        if let key { return key }
        guard let choice, let found = try await machine.keys.key(name, choice), found.id == record.keyID
        else { return nil }
        key = found
        return found
    }

    /// Written before it is used, so that no crash has it used twice.
    private func nextCounter() throws -> UInt64 {
        var next = record
        next.counter += 1
        try keep(next)
        return next.counter
    }
}

extension AttestationKeys.Choice {
    init?(_ configured: AccountConfiguration.Attestation) {
        switch configured {
        case .off: return nil
        case .auto: self = .auto
        case .tpm2: self = .tpm2
        case .software: self = .software
        }
    }
}

extension APIFailure {
    /// The server has said no, and says no again.
    var isFinal: Bool {
        switch self {
        case .absent, .forbidden, .fatal: true
        case .retry, .unauthorized, .cancelled: false
        }
    }
}
