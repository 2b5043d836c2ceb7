/// The operations, on the store's own thread, one after the other.
extension SecretStore {
    typealias Interruption = SecretService.Interruption
    typealias Problem = SecretService.Problem

    func find(_ name: SecretName, _ interruption: Interruption) throws(SecretFailure) -> Secret? {
        var entries = try read()
        switch entries.byName[name] {
        case .here(let secret, _):
            // What cannot be moved is readable all the same.
            _ = try? move(name, in: &entries, interruption)
            return secret
        case .deleted:
            _ = try? move(name, in: &entries, interruption)
            return nil
        case .there:
            return try fetch(name, &entries, interruption)
        case nil:
            return usesService ? try discover(name, &entries, interruption) : nil
        }
    }

    func put(_ secret: Secret, _ name: SecretName, _ interruption: Interruption) throws(SecretFailure) {
        guard secret.bytes.count <= Secret.sizeLimit, !secret.bytes.isEmpty,
            name.parts.allSatisfy({ $0.utf8.count <= SecretName.partLimit && !$0.utf8.contains(0) })
        else { throw SecretFailure(.tooLarge, "this is no secret of the API; the server may be a wrong one") }
        var entries = try read()
        let old = entries.byName[name]
        if usesService {
            let problem = store(secret, name, prompting: old == .there, interruption)
            if problem == nil { return try set(.there, name, &entries) }
            if let problem, choice == .secretService { throw SecretFailure(problem) }
        }
        let isStaleThere = old == .there || old == .deleted || old?.isStaleThere == true
        try set(.here(secret, isStaleThere: isStaleThere), name, &entries)
        if !usesService { try move(name, in: &entries, interruption) }
    }

    func remove(_ name: SecretName, _ interruption: Interruption) throws(SecretFailure) {
        var entries = try read()
        switch entries.byName[name] {
        case nil:
            // The index may have been lost.
            if usesService { _ = clear(name, interruption) }
        case .here(_, isStaleThere: false):
            try set(nil, name, &entries)
        case .here, .there, .deleted:
            try set(.deleted, name, &entries)
            try move(name, in: &entries, interruption)
        }
    }

    func moveAll(_ interruption: Interruption) throws(SecretFailure) {
        var entries = try read()
        for (name, entry) in entries.byName where !isAtHome(entry) {
            guard try move(name, in: &entries, interruption) else { return }
        }
    }

    func set(
        _ entry: SecretEntry?, _ name: SecretName, _ entries: inout SecretEntries
    ) throws(SecretFailure) {
        guard entries.byName[name] != entry else { return }
        entries.byName[name] = entry
        try file.write(entries)
    }

    /// A secret that the index says is in the service.
    private func fetch(
        _ name: SecretName, _ entries: inout SecretEntries, _ interruption: Interruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(Problem) {
            secret = try ask(prompting: true, interruption) { service, asking throws(Problem) in
                try service.lookup(name, asking)
            }
        } catch .absent {
            try set(nil, name, &entries)
            return nil
        } catch {
            throw SecretFailure(error)
        }
        if !usesService { try takeOver(secret, name, &entries, interruption) }
        return secret
    }

    /// A secret that the index does not know: it may have been lost while the keyring was not.
    private func discover(
        _ name: SecretName, _ entries: inout SecretEntries, _ interruption: Interruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(Problem) {
            secret = try ask(prompting: choice == .secretService, interruption) {
                service, asking throws(Problem) in
                try service.lookup(name, asking)
            }
        } catch .absent {
            return nil
        } catch {
            if choice == .auto && error != .cancelled { return nil }
            throw SecretFailure(error)
        }
        // Only the index: without it the secret is discovered again.
        try? set(.there, name, &entries)
        return secret
    }
}

extension SecretFailure {
    init(_ problem: SecretService.Problem) {
        self.init(problem == .cancelled ? .cancelled : .unavailable, problem.sentence)
    }
}
