/// Moving secrets between the storages. The new copy is written and read back before the old one is deleted,
/// so that an interruption at any time leaves at least one copy that the index refers to.
extension SecretStore {
    /// Moves one secret to its storage. Returns `false` if the service did not allow the move; the secret is
    /// then unchanged.
    @discardableResult
    func move(
        _ name: SecretName, in entries: inout SecretEntries, _ interruption: CallInterruption
    ) throws(SecretFailure) -> Bool {
        switch entries.byName[name] {
        case .inFile(let secret, _) where usesService:
            guard store(secret, name, prompting: false, interruption) == nil else { return false }
            try set(.inService, name, &entries)
        case .inFile(let secret, isStaleInService: true):
            guard clear(name, interruption) else { return false }
            try set(.inFile(secret, isStaleInService: false), name, &entries)
        case .deleted:
            guard clear(name, interruption) else { return false }
            try set(nil, name, &entries)
        case .inService where !usesService:
            return try moveFromService(name, &entries, interruption)
        case .inFile, .inService, nil: break
        }
        return true
    }

    /// Stores the secret in the service and verifies it. Returns the problem; `nil` on success.
    func store(
        _ secret: Secret, _ name: SecretName, prompting: Bool, _ interruption: CallInterruption
    ) -> Problem? {
        do throws(Problem) {
            let prompting = prompting || choice == .secretService
            try ask(prompting: prompting, interruption) { service, asking throws(Problem) in
                try service.store(secret, as: name, asking)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Stores a secret from the service in the file, and only then deletes it from the service.
    func moveToFile(
        _ secret: Secret, _ name: SecretName, _ entries: inout SecretEntries, _ interruption: CallInterruption
    ) throws(SecretFailure) {
        try set(.inFile(secret, isStaleInService: true), name, &entries)
        guard try read() == entries else {
            throw SecretFailure(
                .unwritable, "\(file.path) does not contain the data that was written; check the disk")
        }
        try move(name, in: &entries, interruption)
    }

    private func moveFromService(
        _ name: SecretName, _ entries: inout SecretEntries, _ interruption: CallInterruption
    ) throws(SecretFailure) -> Bool {
        let secret: Secret
        do throws(Problem) {
            secret = try ask(prompting: false, interruption) { service, asking throws(Problem) in
                try service.lookup(name, asking)
            }
        } catch .absent {
            try set(nil, name, &entries)
            return true
        } catch {
            return false
        }
        try moveToFile(secret, name, &entries, interruption)
        return true
    }

    func clear(_ name: SecretName, _ interruption: CallInterruption) -> Bool {
        do throws(Problem) {
            try ask(prompting: false, interruption) { service, asking throws(Problem) in
                try service.delete(name, asking)
            }
            return true
        } catch {
            return false
        }
    }
}
