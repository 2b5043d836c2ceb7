/// Looks at everything around the daemon and changes nothing; where a click would open something, a harmless
/// program is started for a moment.
public struct Examination: Sendable {
    private let environment: [String: String]

    /// `environment` is the process's own: what asks the session bus has no other.
    public init(environment: [String: String]) { self.environment = environment }

    /// Looks at everything at once, for about 10 s at most, and hands out each check as soon as it and those
    /// before it are known.
    public func run(_ tell: (Check) -> Void) async -> Report {
        var facts = Facts(reading: environment)
        var checks: [Check] = []
        var chapters = Facts.chapters[...]
        await withTaskGroup(of: Discovery.self) { group in
            for probe in probes(facts) { group.addTask { await probe() } }
            repeat {
                while let known = chapters.first?(facts) {
                    known.forEach(tell)
                    checks += known
                    chapters.removeFirst()
                }
            } while await group.next().map({ facts.take($0) }) != nil
        }
        return Report(checks)
    }

    private func probes(_ facts: Facts) -> [@Sendable () async -> Discovery] {
        let environment = environment
        let (accounts, opener) = (facts.configuration.accounts, facts.configuration.opener)
        return [
            { .session(await SessionFacts(asking: environment)) },
            { .daemon(await DaemonFacts(asking: environment)) },
            { .secrets(await SecretFacts(asking: environment)) },
            { .unit(await UnitFacts(asking: environment)) },
            { .opening(await OpeningFacts(trying: environment, opener: opener)) },
            { .apis(await APIFacts.asked(accounts)) },
        ]
    }
}

/// What one probe found out.
enum Discovery: Sendable {
    case session(SessionFacts)
    case daemon(DaemonFacts)
    case secrets(SecretFacts)
    case unit(UnitFacts)
    case opening(OpeningFacts)
    case apis([APIFacts])
}
