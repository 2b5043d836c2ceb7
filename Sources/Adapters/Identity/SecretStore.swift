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
    private var patienceAgain: ContinuousClock.Instant?

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

    /// From now on secrets are to be kept there; `settle()` moves those that are elsewhere.
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
        if let patienceAgain, ContinuousClock.now < patienceAgain { throw .timedOut }
        let asking = SecretService.Asking(mayPrompt: prompting && !hasAsked, interruption: interruption)
        do {
            return try body(service, asking)
        } catch {
            if error == .timedOut && !asking.mayPrompt { patienceAgain = .now + .seconds(60) }
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
            waiting = try read().byName.values.count { !Self.isAtHome($0, inService: kind == .secretService) }
        } catch {
            problem = error.description
            failure = [error.description]
        }
        return SecretPlace(
            kind: kind, path: file.path, waiting: waiting, problem: problem, notes: failure + notes)
    }

    func isAtHome(_ entry: SecretEntry) -> Bool { Self.isAtHome(entry, inService: usesService) }

    private static func isAtHome(_ entry: SecretEntry, inService: Bool) -> Bool {
        inService ? entry == .there : entry != .there && entry != .deleted && !entry.isStaleThere
    }
}

extension SecretEntry {
    var isStaleThere: Bool {
        if case .here(_, isStaleThere: true) = self { true } else { false }
    }
}
