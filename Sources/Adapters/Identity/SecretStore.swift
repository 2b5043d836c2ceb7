import Glibc
import Runtime

/// The store for tokens and keys, in the session's secret service or in a file. A secret in the wrong storage
/// is moved when both are available. A call may wait up to a minute while the user unlocks the keyring; the
/// user is prompted at most once per run. A cancelled task returns within a second.
public actor SecretStore {
    /// The configured storage.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// The secret service if it responds; otherwise, the file.
        case auto
        case secretService = "secret-service"
        case file
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private(set) var choice: Choice
    let file: SecretFile
    private let thread = BlockingThread(name: "secrets")
    private let keyring: any KeyringBackend
    private var notes: [String] = []
    /// Whether the user did not answer or denied a prompt. The user is then not prompted again.
    private var hasPrompted = false
    /// The earliest time of the next call to the service after a timeout; `nil` if none timed out.
    private var nextAttempt: ContinuousClock.Instant?

    /// `directory`: the state directory. `environment`: the environment of the process. Throws if the systemd
    /// credential is not usable.
    public init(
        _ choice: Choice, directory: String, environment: [String: String]
    ) throws(SecretFailure) {
        self.init(
            choice, SecretFile(directory: directory, credential: try Credential(environment: environment)))
    }

    init(_ choice: Choice, _ file: SecretFile, keyring: any KeyringBackend = SecretService()) {
        self.choice = choice
        self.file = file
        self.keyring = keyring
    }

    var usesService: Bool { choice != .file }

    /// Changes the storage for new secrets; `moveSecretsToCurrentLocation()` moves the existing secrets.
    public func choose(_ choice: Choice) { self.choice = choice }

    func read() throws(SecretFailure) -> SecretEntries {
        let reading = try file.read()
        notes += reading.notes.filter { !notes.contains($0) }.prefix(max(0, 16 - notes.count))
        if reading.needsSealing { try file.write(reading.entries) }
        return reading.entries
    }

    /// Calls the keyring, unless a recent call timed out. Prompts the user at most once per run.
    func ask<Value>(
        prompting: Bool, _ interruption: CallInterruption,
        _ body: (any KeyringBackend, KeyringCallOptions) throws(KeyringProblem) -> Value
    ) throws(KeyringProblem) -> Value {
        if let nextAttempt, ContinuousClock.now < nextAttempt { throw .timedOut }
        let options = KeyringCallOptions(
            mayPrompt: prompting && !hasPrompted, interruption: interruption)
        do {
            return try body(keyring, options)
        } catch {
            if error == .timedOut && !options.mayPrompt { nextAttempt = .now + .seconds(60) }
            if error == .timedOut || error == .locked { hasPrompted = hasPrompted || options.mayPrompt }
            throw error
        }
    }

    func place(_ interruption: CallInterruption) -> SecretPlace {
        var problem: String?
        var kind = file.credential == nil ? SecretPlace.Kind.plainFile : .sealedFile
        if usesService {
            do {
                try ask(prompting: false, interruption) { keyring, options throws(KeyringProblem) in
                    try keyring.probe(options)
                }
                kind = .secretService
            } catch {
                problem = error.sentence
                if choice == .secretService { kind = .secretService }
            }
        }
        var waiting = 0
        var failure: [String] = []
        do throws(SecretFailure) {
            waiting = try read().byName.values.count {
                !Self.isInPlace($0, inService: kind == .secretService)
            }
        } catch {
            problem = error.description
            failure = [error.description]
        }
        return SecretPlace(
            kind: kind, path: file.path, waiting: waiting, problem: problem, notes: failure + notes)
    }

    private func isInPlace(_ entry: SecretEntry) -> Bool { Self.isInPlace(entry, inService: usesService) }

    private static func isInPlace(_ entry: SecretEntry, inService: Bool) -> Bool {
        inService ? entry == .inService : entry != .inService && entry != .deleted && !entry.isStaleInService
    }
}

extension SecretEntry {
    var isStaleInService: Bool {
        if case .inFile(_, isStaleInService: true) = self { true } else { false }
    }
}

/// The public operations, each of which waits for the store's thread.
extension SecretStore {
    /// Returns the secret; `nil` if there is none. Throws `unavailable` if the secret is in a keyring that is
    /// locked or missing; the caller may then create a new secret.
    public nonisolated func secret(_ name: SecretName) async throws(SecretFailure) -> Secret? {
        try await call { store, interruption throws(SecretFailure) in
            try store.find(name, interruption)
        }
    }

    /// Stores `secret` durably, replacing a previous secret with this name.
    public nonisolated func store(_ secret: Secret, as name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.put(secret, name, interruption)
        }
    }

    /// Deletes the secret. If the keyring does not respond, the deletion of its copy is pending, and the copy
    /// is no longer returned.
    public nonisolated func delete(_ name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.remove(name, interruption)
        }
    }

    /// Moves all secrets to the configured storage, if the secret service responds without a prompt. Called
    /// at startup and periodically. A secret that cannot be moved remains usable.
    public nonisolated func moveSecretsToCurrentLocation() async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.moveAllToCurrentLocation(interruption)
        }
    }

    /// Returns the current storage. Calls the secret service without prompting the user.
    public nonisolated func describe() async -> SecretPlace {
        let interruption = CallInterruption()
        return await withTaskCancellationHandler {
            await place(interruption)
        } onCancel: {
            interruption.interrupt()
        }
    }

    private nonisolated func call<Value: Sendable>(
        _ work:
            @Sendable (isolated SecretStore, CallInterruption) throws(SecretFailure) -> Value
    ) async throws(SecretFailure) -> Value {
        let interruption = CallInterruption()
        let result = await withTaskCancellationHandler {
            await run(work, interruption)
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }

    private func run<Value>(
        _ work: (isolated SecretStore, CallInterruption) throws(SecretFailure) -> Value,
        _ interruption: CallInterruption
    ) -> Result<Value, SecretFailure> {
        do { return .success(try work(self, interruption)) } catch { return .failure(error) }
    }
}

/// The operations, executed serially on the store's own thread.
extension SecretStore {
    private func find(_ name: SecretName, _ interruption: CallInterruption) throws(SecretFailure) -> Secret? {
        var entries = try read()
        switch entries.byName[name] {
        case .inFile(let secret, _):
            // A failed move is ignored, because the secret was found.
            _ = try? move(name, in: &entries, interruption)
            return secret
        case .deleted:
            _ = try? move(name, in: &entries, interruption)
            return nil
        case .inService:
            return try fetch(name, &entries, interruption)
        case nil:
            return usesService ? try discover(name, &entries, interruption) : nil
        }
    }

    func put(_ secret: Secret, _ name: SecretName, _ interruption: CallInterruption) throws(SecretFailure) {
        guard secret.bytes.count <= Secret.sizeLimit, !secret.bytes.isEmpty,
            name.parts.allSatisfy({ $0.utf8.count <= SecretName.partLimit && !$0.utf8.contains(0) })
        else {
            throw SecretFailure(.tooLarge, "this is not a valid secret of the API; check the server address")
        }
        var entries = try read()
        let old = entries.byName[name]
        if usesService {
            let problem = store(secret, name, prompting: old == .inService, interruption)
            if problem == nil { return try set(.inService, name, &entries) }
            if let problem, choice == .secretService { throw SecretFailure(problem) }
        }
        let isStaleInService = old == .inService || old == .deleted || old?.isStaleInService == true
        try set(.inFile(secret, isStaleInService: isStaleInService), name, &entries)
        if !usesService { try move(name, in: &entries, interruption) }
    }

    func remove(_ name: SecretName, _ interruption: CallInterruption) throws(SecretFailure) {
        var entries = try read()
        switch entries.byName[name] {
        case nil:
            // The service may have a copy that is missing from the index.
            if usesService { _ = clear(name, interruption) }
        case .inFile(_, isStaleInService: false):
            try set(nil, name, &entries)
        case .inFile, .inService, .deleted:
            try set(.deleted, name, &entries)
            try move(name, in: &entries, interruption)
        }
    }

    private func moveAllToCurrentLocation(_ interruption: CallInterruption) throws(SecretFailure) {
        var entries = try read()
        for (name, entry) in entries.byName where !isInPlace(entry) {
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

    /// Reads a secret that is in the service, according to the index.
    private func fetch(
        _ name: SecretName, _ entries: inout SecretEntries, _ interruption: CallInterruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(KeyringProblem) {
            secret = try ask(prompting: true, interruption) { keyring, options throws(KeyringProblem) in
                try keyring.lookup(name, options)
            }
        } catch .absent {
            try set(nil, name, &entries)
            return nil
        } catch {
            throw SecretFailure(error)
        }
        if !usesService { try moveToFile(secret, name, &entries, interruption) }
        return secret
    }

    /// Looks in the service for a secret that is not in the index. The index may have been lost while the
    /// keyring is intact.
    private func discover(
        _ name: SecretName, _ entries: inout SecretEntries, _ interruption: CallInterruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(KeyringProblem) {
            secret = try ask(prompting: choice == .secretService, interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.lookup(name, options)
            }
        } catch .absent {
            return nil
        } catch {
            if choice == .auto && error != .cancelled { return nil }
            throw SecretFailure(error)
        }
        // A failure is ignored: the next call discovers the secret again.
        try? set(.inService, name, &entries)
        return secret
    }
}

extension SecretFailure {
    init(_ problem: KeyringProblem) {
        self.init(problem == .cancelled ? .cancelled : .unavailable, problem.sentence)
    }
}
