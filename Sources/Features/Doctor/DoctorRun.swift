import Config
import Glibc
import Platform

/// Checks the environment of the daemon without changing anything. Briefly starts a harmless program to test
/// the effect of a click.
public struct DoctorRun: Sendable {
    private let environment: [String: String]

    /// - Parameter environment: must be the environment of this process, because libnotify always uses that
    ///   environment.
    public init(environment: [String: String]) { self.environment = environment }

    /// Runs all checks concurrently, for about 10 s at most. Reports each check when that check and all
    /// earlier checks are complete.
    public func run(onCheck report: (Check) -> Void) async -> DoctorReport {
        var facts = DoctorFacts(reading: environment)
        var checks: [Check] = []
        var sections = DoctorFacts.sections[...]
        await withTaskGroup(of: ProbeResult.self) { group in
            for probe in makeProbes(for: facts) { group.addTask { await probe() } }
            repeat {
                while let known = sections.first?(facts) {
                    known.forEach(report)
                    checks += known
                    sections.removeFirst()
                }
            } while await group.next().map({ facts.addResult($0) }) != nil
        }
        return DoctorReport(checks)
    }

    private func makeProbes(for facts: DoctorFacts) -> [@Sendable () async -> ProbeResult] {
        let environment = environment
        let (accounts, opener) = (facts.configuration.accounts, facts.configuration.opener)
        return [
            { .session(await SessionFacts(asking: environment)) },
            { .lock(await LockFacts(asking: environment)) },
            { .daemon(await DaemonFacts(asking: environment)) },
            { .secrets(await SecretFacts(asking: environment)) },
            { .unit(await UnitFacts(asking: environment)) },
            { .opening(await OpeningFacts(trying: environment, opener: opener)) },
            { .apis(await APIFacts.probe(accounts)) },
            { .signIns(await SignInFacts.probe(accounts, environment: environment)) },
        ]
    }
}

/// The result of one of the concurrent probes.
enum ProbeResult: Sendable {
    case session(SessionFacts)
    case lock(LockFacts)
    case daemon(DaemonFacts)
    case secrets(SecretFacts)
    case unit(UnitFacts)
    case opening(OpeningFacts)
    case apis([APIFacts])
    case signIns([SignInFacts])
}

/// All facts that are known so far, which are the only input of the checks.
struct DoctorFacts: Sendable {
    var configuration: ConfigurationFacts
    var files: [FileFact]
    var disk: DiskFacts
    var watches: WatchFacts
    /// The ID of the current user.
    var user: UInt32
    var session: SessionFacts?
    var lock: LockFacts?
    var daemon: DaemonFacts?
    var secrets: SecretFacts?
    var unit: UnitFacts?
    var opening: OpeningFacts?
    var apis: [APIFacts]?
    var signIns: [SignInFacts]?

    mutating func addResult(_ result: ProbeResult) {
        switch result {
        case .session(let facts): session = facts
        case .lock(let facts): lock = facts
        case .daemon(let facts): daemon = facts
        case .secrets(let facts): secrets = facts
        case .unit(let facts): unit = facts
        case .opening(let facts): opening = facts
        case .apis(let facts): apis = facts
        case .signIns(let facts): signIns = facts
        }
    }

    /// The sections of checks, in the order of the output. A section returns `nil` until its facts are known.
    static let sections: [@Sendable (DoctorFacts) -> [Check]?] = [
        { facts in
            guard facts.configuration.isUnconfigured else { return [facts.configuration.check] }
            return facts.daemon.map { [facts.configuration.makeCheck(comparingWith: $0)] }
        },
        { FileFact.makeChecks(for: $0.files, userID: $0.user) },
        { [$0.disk.check] },
        { [$0.watches.check] },
        { $0.session?.checks },
        { facts in facts.lock.map { [$0.check] } },
        { facts in
            facts.daemon.map { [$0.makeCheck(isAccountConfigured: !facts.configuration.accounts.isEmpty)] }
        },
        { facts in facts.secrets.map { [$0.check] } },
        { facts in
            facts.daemon.flatMap { daemon in facts.session.map { daemon.makeNotificationChecks(in: $0) } }
        },
        { facts in facts.daemon.map { [$0.outbox] } },
        { $0.apis.map(APIFacts.makeChecks) },
        { facts in facts.daemon.flatMap { daemon in facts.apis.map { daemon.makeAccountChecks(apis: $0) } } },
        { $0.signIns?.map(\.check) },
        { $0.unit?.checks },
        { $0.opening?.checks },
    ]
}

extension DoctorFacts {
    /// Reads the facts that are stored on this computer.
    init(reading environment: [String: String]) {
        let paths = Paths(environment: environment)
        configuration = ConfigurationFacts(reading: paths, environment: environment)
        files = FileFact.inspectFiles(at: paths)
        disk = DiskFacts(ofFileSystemAt: paths.stateDirectory)
        watches = .probe()
        user = getuid()
    }
}
