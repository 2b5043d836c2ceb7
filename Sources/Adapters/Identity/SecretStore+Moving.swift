import Config
import Reasons

/// The functions that move secrets between the storage locations. The new copy is written and verified before
/// the old copy is deleted, so that the secrets file refers to at least one copy even if a move is
/// interrupted.
extension SecretStore {
    /// Moves one secret to the configured location. Returns `false` without a change if the secret service
    /// failed.
    @discardableResult
    func moveToConfiguredLocation(
        _ name: SecretName, in entries: inout SecretEntries, interruption: CallInterruption
    ) throws(SecretFailure) -> Bool {
        switch entries.byName[name] {
        case .inFile(let secret, _) where usesService:
            guard storeInService(secret, as: name, mayPrompt: false, interruption: interruption) == nil else {
                return false
            }
            try writeEntry(.inService, for: name, in: &entries)
        case .inFile(let secret, isStaleInService: true):
            guard deleteFromService(name, interruption: interruption) else { return false }
            try writeEntry(.inFile(secret, isStaleInService: false), for: name, in: &entries)
        case .deleted:
            guard deleteFromService(name, interruption: interruption) else { return false }
            try writeEntry(nil, for: name, in: &entries)
        case .inService where !usesService:
            return try moveFromService(name, in: &entries, interruption: interruption)
        case .inFile, .inService, nil: break
        }
        return true
    }

    /// Stores the secret in the secret service and verifies it. Returns the problem; `nil` on success.
    func storeInService(
        _ secret: Secret, as name: SecretName, mayPrompt: Bool, interruption: CallInterruption
    ) -> KeyringProblem? {
        do throws(KeyringProblem) {
            let mayPrompt = mayPrompt || choice == .secretService
            try callKeyring(mayPrompt: mayPrompt, interruption: interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.store(secret, as: name, options: options)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Moves a secret from the secret service to the file.
    func moveToFile(
        _ secret: Secret, as name: SecretName, in entries: inout SecretEntries, interruption: CallInterruption
    ) throws(SecretFailure) {
        try writeEntry(.inFile(secret, isStaleInService: true), for: name, in: &entries)
        guard try readEntries() == entries else {
            throw SecretFailure(.unwritable, Reason(.secretsNotWritten, ["path": file.path]))
        }
        try moveToConfiguredLocation(name, in: &entries, interruption: interruption)
    }

    private func moveFromService(
        _ name: SecretName, in entries: inout SecretEntries, interruption: CallInterruption
    ) throws(SecretFailure) -> Bool {
        let secret: Secret
        do throws(KeyringProblem) {
            secret = try callKeyring(mayPrompt: false, interruption: interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.lookUpSecret(named: name, options: options)
            }
        } catch .absent {
            try writeEntry(nil, for: name, in: &entries)
            return true
        } catch {
            return false
        }
        try moveToFile(secret, as: name, in: &entries, interruption: interruption)
        return true
    }

    func deleteFromService(_ name: SecretName, interruption: CallInterruption) -> Bool {
        do throws(KeyringProblem) {
            try callKeyring(mayPrompt: false, interruption: interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.deleteSecret(named: name, options: options)
            }
            return true
        } catch {
            return false
        }
    }
}
