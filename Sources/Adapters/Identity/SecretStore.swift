import Glibc
import Threads

/// Tokens and keys, in the session's secret service or in a file; what is in the wrong place is moved as soon
/// as both answer. Calls may wait for a keyring, and for the person who is to unlock it: up to a minute, once
/// a run. A cancelled task stops waiting within a second.
public actor SecretStore {
    /// Where secrets are to be kept.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// In the secret service where one answers, else in the file.
        case auto
        case secretService = "secret-service"
        case file
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private(set) var choice: Choice
    let file: SecretFile
    private let thread = BlockingThread(name: "secrets")
    private let service: SecretService
    private var notes: [String] = []
    /// A person who has refused, or is not there, is not asked again.
    private var hasAsked = false
    /// A service that hung is left alone until then.
    private var nextAttempt: ContinuousClock.Instant?

    /// `directory` is the state directory, `environment` the process's. Throws where the credential that
    /// systemd handed over cannot be used.
    public init(
        _ choice: Choice, directory: String, environment: [String: String]
    ) throws(SecretFailure) {
        self.init(
            choice, SecretFile(directory: directory, credential: try Credential(environment: environment)))
    }

    init(_ choice: Choice, _ file: SecretFile, service: SecretService = SecretService()) {
        self.choice = choice
        self.file = file
        self.service = service
    }

    var usesService: Bool { choice != .file }

    /// From now on secrets are to be kept there; `relocate()` moves those that are elsewhere.
    public func choose(_ choice: Choice) { self.choice = choice }

    func read() throws(SecretFailure) -> SecretEntries {
        let reading = try file.read()
        notes += reading.notes.filter { !notes.contains($0) }.prefix(max(0, 16 - notes.count))
        if reading.needsSealing { try file.write(reading.entries) }
        return reading.entries
    }

    /// One call of the service, if it is worth the wait.
    func ask<Value>(
        prompting: Bool, _ interruption: SecretService.Interruption,
        _ body: (SecretService, SecretService.Asking) throws(SecretService.Problem) -> Value
    ) throws(SecretService.Problem) -> Value {
        if let nextAttempt, ContinuousClock.now < nextAttempt { throw .timedOut }
        let asking = SecretService.Asking(mayPrompt: prompting && !hasAsked, interruption: interruption)
        do {
            return try body(service, asking)
        } catch {
            if error == .timedOut && !asking.mayPrompt { nextAttempt = .now + .seconds(60) }
            if error == .timedOut || error == .locked { hasAsked = hasAsked || asking.mayPrompt }
            throw error
        }
    }

    func place(_ interruption: SecretService.Interruption) -> SecretPlace {
        var problem: String?
        var kind = file.credential == nil ? SecretPlace.Kind.plainFile : .sealedFile
        if usesService {
            do {
                try ask(prompting: false, interruption) { service, asking throws(SecretService.Problem) in
                    try service.probe(asking)
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

/// What is asked of the store from elsewhere.
extension SecretStore {
    /// The secret of that name; nil where there is none. `unavailable` where there is one in a keyring that
    /// is locked or gone: whoever can do without it may make a new one.
    public nonisolated func secret(_ name: SecretName) async throws(SecretFailure) -> Secret? {
        try await call { store, interruption throws(SecretFailure) in
            try store.find(name, interruption)
        }
    }

    /// Keeps `secret`, durably, in the place of what had its name.
    public nonisolated func keep(_ secret: Secret, as name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.put(secret, name, interruption)
        }
    }

    /// Forgets the secret. One in a keyring that does not answer is deleted there later, and not found
    /// before.
    public nonisolated func delete(_ name: SecretName) async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.remove(name, interruption)
        }
    }

    /// Moves everything to where it is to be, as far as the secret service answers without a prompt. For the
    /// start and for now and then. What cannot be moved stays where it is, and works there.
    public nonisolated func relocate() async throws(SecretFailure) {
        try await call { store, interruption throws(SecretFailure) in
            try store.moveAll(interruption)
        }
    }

    /// Where secrets are kept now. Asks the secret service, but not the person.
    public nonisolated func describe() async -> SecretPlace {
        let interruption = SecretService.Interruption()
        return await withTaskCancellationHandler {
            await place(interruption)
        } onCancel: {
            interruption.interrupt()
        }
    }

    private nonisolated func call<Value: Sendable>(
        _ work: @Sendable (isolated SecretStore, SecretService.Interruption) throws(SecretFailure) -> Value
    ) async throws(SecretFailure) -> Value {
        let interruption = SecretService.Interruption()
        let result = await withTaskCancellationHandler {
            await run(work, interruption)
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }

    private func run<Value>(
        _ work: (isolated SecretStore, SecretService.Interruption) throws(SecretFailure) -> Value,
        _ interruption: SecretService.Interruption
    ) -> Result<Value, SecretFailure> {
        do { return .success(try work(self, interruption)) } catch { return .failure(error) }
    }
}

/// The operations, on the store's own thread, one after the other.
extension SecretStore {
    typealias Interruption = SecretService.Interruption
    typealias Problem = SecretService.Problem

    private func find(_ name: SecretName, _ interruption: Interruption) throws(SecretFailure) -> Secret? {
        var entries = try read()
        switch entries.byName[name] {
        case .inFile(let secret, _):
            // What cannot be moved is readable all the same.
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

    func put(_ secret: Secret, _ name: SecretName, _ interruption: Interruption) throws(SecretFailure) {
        guard secret.bytes.count <= Secret.sizeLimit, !secret.bytes.isEmpty,
            name.parts.allSatisfy({ $0.utf8.count <= SecretName.partLimit && !$0.utf8.contains(0) })
        else { throw SecretFailure(.tooLarge, "this is no secret of the API; the server may be a wrong one") }
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

    func remove(_ name: SecretName, _ interruption: Interruption) throws(SecretFailure) {
        var entries = try read()
        switch entries.byName[name] {
        case nil:
            // The index may have been lost.
            if usesService { _ = clear(name, interruption) }
        case .inFile(_, isStaleInService: false):
            try set(nil, name, &entries)
        case .inFile, .inService, .deleted:
            try set(.deleted, name, &entries)
            try move(name, in: &entries, interruption)
        }
    }

    private func moveAll(_ interruption: Interruption) throws(SecretFailure) {
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
        if !usesService { try moveToFile(secret, name, &entries, interruption) }
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
        try? set(.inService, name, &entries)
        return secret
    }
}

extension SecretFailure {
    init(_ problem: SecretService.Problem) {
        self.init(problem == .cancelled ? .cancelled : .unavailable, problem.sentence)
    }
}
