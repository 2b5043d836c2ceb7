/// All that is known so far; the checks are judged from it alone.
struct Facts: Sendable {
    var configuration: ConfigurationFacts
    var files: [FileFact]
    /// Of the person who asks.
    var user: UInt32
    var session: SessionFacts?
    var daemon: DaemonFacts?
    var secrets: SecretFacts?
    var unit: UnitFacts?
    var opening: OpeningFacts?
    var apis: [APIFacts]?

    mutating func take(_ discovery: Discovery) {
        switch discovery {
        case .session(let facts): session = facts
        case .daemon(let facts): daemon = facts
        case .secrets(let facts): secrets = facts
        case .unit(let facts): unit = facts
        case .opening(let facts): opening = facts
        case .apis(let facts): apis = facts
        }
    }

    /// The checks in the order in which they are told; nil where what they need is not known yet.
    static let chapters: [@Sendable (Facts) -> [Check]?] = [
        { [$0.configuration.check] },
        { FileFact.checks($0.files, user: $0.user) },
        { $0.session?.checks },
        { facts in facts.daemon.map { [$0.check(isConfigured: !facts.configuration.accounts.isEmpty)] } },
        { facts in facts.secrets.map { [$0.check] } },
        { facts in facts.daemon.flatMap { daemon in facts.session.map { daemon.popups(in: $0) } } },
        { facts in facts.daemon.map { [$0.outbox] } },
        { $0.apis.map(APIFacts.checks) },
        { facts in facts.daemon.flatMap { daemon in facts.apis.map { daemon.accounts(at: $0) } } },
        { $0.unit?.checks },
        { $0.opening?.checks },
    ]
}
