public import Config
import Glibc
import Reasons
import Runtime

/// The store for tokens and keys, in the session's secret service or in a file. Secrets in the wrong location
/// are moved when both locations are available. A call may wait up to a minute for the user to unlock the
/// keyring. If the user refuses or ignores the prompt, the store does not prompt again until the daemon
/// restarts. A cancelled call returns within a second.
public actor SecretStore {
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private(set) var choice: Configuration.SecretStorage
    let file: SecretFile
    private let thread = BlockingThread(name: "secrets")
    private let keyring: any KeyringBackend
    private var notes: [Reason] = []
    /// Whether the user refused or ignored a prompt, so that the store must not prompt again.
    private var wasPromptRefused = false
    /// The earliest time of the next keyring call, set after a call without a prompt has timed out.
    private var nextAttempt: ContinuousClock.Instant?

    /// Creates a store. Throws if the systemd credential is not usable.
    ///
    /// - Parameters:
    ///   - directory: the state directory.
    ///   - environment: the environment of the process.
    public init(
        _ choice: Configuration.SecretStorage, directory: String, environment: [String: String]
    ) throws(SecretFailure) {
        self.init(
            choice,
            SecretFile(directory: directory, credential: try SealingCredential(environment: environment)))
    }

    init(
        _ choice: Configuration.SecretStorage, _ file: SecretFile,
        keyring: any KeyringBackend = SecretService()
    ) {
        self.choice = choice
        self.file = file
        self.keyring = keyring
    }

    var usesService: Bool { choice != .file }

    /// Changes the storage for new secrets; `moveSecretsToConfiguredLocation()` moves the existing secrets.
    public func setStorageChoice(_ choice: Configuration.SecretStorage) { self.choice = choice }

    func readEntries() throws(SecretFailure) -> SecretEntries {
        let reading = try file.read()
        notes += reading.notes.filter { !notes.contains($0) }.prefix(max(0, 16 - notes.count))
        if reading.needsSealing { try file.write(reading.entries) }
        return reading.entries
    }

    /// Calls the keyring, unless a recent call timed out. Allows a prompt only if the user has not refused or
    /// ignored an earlier prompt.
    func callKeyring<Value>(
        mayPrompt: Bool, interruption: CallInterruption,
        _ body: (any KeyringBackend, KeyringCallOptions) throws(KeyringProblem) -> Value
    ) throws(KeyringProblem) -> Value {
        if let nextAttempt, ContinuousClock.now < nextAttempt { throw .timedOut }
        let options = KeyringCallOptions(
            mayPrompt: mayPrompt && !wasPromptRefused, interruption: interruption)
        do {
            return try body(keyring, options)
        } catch {
            if error == .timedOut && !options.mayPrompt { nextAttempt = .now + .seconds(60) }
            if error == .timedOut || error == .locked {
                wasPromptRefused = wasPromptRefused || options.mayPrompt
            }
            throw error
        }
    }

    func determineLocation(interruption: CallInterruption) -> SecretLocation {
        var problem: Reason?
        var kind = file.credential == nil ? SecretLocation.Kind.plainFile : .sealedFile
        if usesService {
            do {
                try callKeyring(mayPrompt: false, interruption: interruption) {
                    keyring, options throws(KeyringProblem) in
                    try keyring.checkAvailability(options: options)
                }
                kind = .secretService
            } catch {
                problem = error.reason
                if choice == .secretService { kind = .secretService }
            }
        }
        var waiting = 0
        var failure: [Reason] = []
        do throws(SecretFailure) {
            waiting = try readEntries().byName.values.count {
                !Self.isInConfiguredLocation($0, usesSecretService: kind == .secretService)
            }
        } catch {
            problem = error.reason
            failure = [error.reason]
        }
        return SecretLocation(
            kind: kind, path: file.path, waiting: waiting, problem: problem, notes: failure + notes)
    }

    private func isInConfiguredLocation(_ entry: SecretEntry) -> Bool {
        Self.isInConfiguredLocation(entry, usesSecretService: usesService)
    }

    private static func isInConfiguredLocation(_ entry: SecretEntry, usesSecretService inService: Bool)
        -> Bool
    {
        inService ? entry == .inService : entry != .inService && entry != .deleted && !entry.isStaleInService
    }
}

extension SecretEntry {
    var isStaleInService: Bool {
        if case .inFile(_, isStaleInService: true) = self { true } else { false }
    }
}

/// The public functions, which wait for the thread of the store.
extension SecretStore {
    /// Returns the secret; `nil` if there is no such secret. Throws `unavailable` if the secret is in a
    /// keyring that is locked or missing. In that case, the caller may create and store a new secret.
    public nonisolated func findSecret(named name: SecretName) async throws(SecretFailure) -> Secret? {
        try await runOnThread { store, interruption throws(SecretFailure) in
            try store.findSecretOnThread(named: name, interruption: interruption)
        }
    }

    /// Stores `secret` durably. Replaces any previous secret with this name.
    public nonisolated func store(_ secret: Secret, as name: SecretName) async throws(SecretFailure) {
        try await runOnThread { store, interruption throws(SecretFailure) in
            try store.storeOnThread(secret, as: name, interruption: interruption)
        }
    }

    /// Deletes the secret. If the keyring does not respond, the copy in the keyring is deleted later, and
    /// `findSecret` no longer returns the copy.
    public nonisolated func deleteSecret(named name: SecretName) async throws(SecretFailure) {
        try await runOnThread { store, interruption throws(SecretFailure) in
            try store.deleteSecretOnThread(named: name, interruption: interruption)
        }
    }

    /// Moves all secrets to the configured location if the secret service responds. Called at startup and
    /// periodically. Prompts the user only if the configured location is the secret service. A secret that
    /// cannot be moved remains usable.
    public nonisolated func moveSecretsToConfiguredLocation() async throws(SecretFailure) {
        try await runOnThread { store, interruption throws(SecretFailure) in
            try store.moveAllToConfiguredLocation(interruption: interruption)
        }
    }

    /// Returns where new secrets are stored, and any problems. Calls the secret service, but never prompts
    /// the user.
    public nonisolated func resolveLocation() async -> SecretLocation {
        let interruption = CallInterruption()
        return await withTaskCancellationHandler {
            await determineLocation(interruption: interruption)
        } onCancel: {
            interruption.interrupt()
        }
    }

    private nonisolated func runOnThread<Value: Sendable>(
        _ work:
            @Sendable (isolated SecretStore, CallInterruption) throws(SecretFailure) -> Value
    ) async throws(SecretFailure) -> Value {
        let interruption = CallInterruption()
        let result = await withTaskCancellationHandler {
            await captureResult(of: work, interruption: interruption)
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }

    private func captureResult<Value>(
        of work: (isolated SecretStore, CallInterruption) throws(SecretFailure) -> Value,
        interruption: CallInterruption
    ) -> Result<Value, SecretFailure> {
        do { return .success(try work(self, interruption)) } catch { return .failure(error) }
    }
}

/// The implementations of the public functions, which run one after the other on the thread of the store.
extension SecretStore {
    private func findSecretOnThread(named name: SecretName, interruption: CallInterruption)
        throws(SecretFailure)
        -> Secret?
    {
        var entries = try readEntries()
        switch entries.byName[name] {
        case .inFile(let secret, _):
            // Ignore a failed move: the secret remains available in the file.
            _ = try? moveToConfiguredLocation(name, in: &entries, interruption: interruption)
            return secret
        case .deleted:
            _ = try? moveToConfiguredLocation(name, in: &entries, interruption: interruption)
            return nil
        case .inService:
            return try fetchFromService(name, in: &entries, interruption: interruption)
        case nil:
            return usesService ? try searchService(for: name, in: &entries, interruption: interruption) : nil
        }
    }

    func storeOnThread(_ secret: Secret, as name: SecretName, interruption: CallInterruption)
        throws(SecretFailure)
    {
        guard secret.bytes.count <= Secret.sizeLimit, !secret.bytes.isEmpty,
            name.parts.allSatisfy({ $0.utf8.count <= SecretName.partLimit && !$0.utf8.contains(0) })
        else {
            throw SecretFailure(.tooLarge, Reason(.secretInvalid))
        }
        var entries = try readEntries()
        let old = entries.byName[name]
        if usesService {
            let problem = storeInService(
                secret, as: name, mayPrompt: old == .inService, interruption: interruption)
            if problem == nil { return try writeEntry(.inService, for: name, in: &entries) }
            if let problem, choice == .secretService { throw SecretFailure(problem) }
        }
        let isStaleInService = old == .inService || old == .deleted || old?.isStaleInService == true
        try writeEntry(.inFile(secret, isStaleInService: isStaleInService), for: name, in: &entries)
        if !usesService { try moveToConfiguredLocation(name, in: &entries, interruption: interruption) }
    }

    func deleteSecretOnThread(named name: SecretName, interruption: CallInterruption) throws(SecretFailure) {
        var entries = try readEntries()
        switch entries.byName[name] {
        case nil:
            // Also delete the secret from the service, which may contain a copy that the file does not list.
            if usesService { _ = deleteFromService(name, interruption: interruption) }
        case .inFile(_, isStaleInService: false):
            try writeEntry(nil, for: name, in: &entries)
        case .inFile, .inService, .deleted:
            try writeEntry(.deleted, for: name, in: &entries)
            try moveToConfiguredLocation(name, in: &entries, interruption: interruption)
        }
    }

    private func moveAllToConfiguredLocation(interruption: CallInterruption) throws(SecretFailure) {
        var entries = try readEntries()
        for (name, entry) in entries.byName where !isInConfiguredLocation(entry) {
            guard try moveToConfiguredLocation(name, in: &entries, interruption: interruption) else { return }
        }
    }

    func writeEntry(
        _ entry: SecretEntry?, for name: SecretName, in entries: inout SecretEntries
    ) throws(SecretFailure) {
        guard entries.byName[name] != entry else { return }
        entries.byName[name] = entry
        try file.write(entries)
    }

    /// Fetches a secret that the file lists as stored in the service.
    private func fetchFromService(
        _ name: SecretName, in entries: inout SecretEntries, interruption: CallInterruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(KeyringProblem) {
            secret = try callKeyring(mayPrompt: true, interruption: interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.lookUpSecret(named: name, options: options)
            }
        } catch .absent {
            try writeEntry(nil, for: name, in: &entries)
            return nil
        } catch {
            throw SecretFailure(error)
        }
        if !usesService { try moveToFile(secret, as: name, in: &entries, interruption: interruption) }
        return secret
    }

    /// Searches the service for a secret that the file does not list, because the file may have been lost.
    private func searchService(
        for name: SecretName, in entries: inout SecretEntries, interruption: CallInterruption
    ) throws(SecretFailure) -> Secret? {
        let secret: Secret
        do throws(KeyringProblem) {
            secret = try callKeyring(mayPrompt: choice == .secretService, interruption: interruption) {
                keyring, options throws(KeyringProblem) in
                try keyring.lookUpSecret(named: name, options: options)
            }
        } catch .absent {
            return nil
        } catch {
            if choice == .auto && error != .cancelled { return nil }
            throw SecretFailure(error)
        }
        // Ignore a failed write: the next call will find the secret again.
        try? writeEntry(.inService, for: name, in: &entries)
        return secret
    }
}

extension SecretFailure {
    init(_ problem: KeyringProblem) {
        self.init(problem == .cancelled ? .cancelled : .unavailable, problem.reason)
    }
}
