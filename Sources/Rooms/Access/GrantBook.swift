import AccessServer
import CutieAPI
import Inbox
import Log
@_spi(Access) import Store

/// What apps asked for and what the person said, written down before anything follows from it.
struct GrantBook {
    /// A no is not asked about again so soon.
    static let refusalLife: Duration = .seconds(86_400)
    /// Nor is what nobody answered: the person may have been away, and an app that asks again each time is in the way.
    static let silenceLife: Duration = .seconds(3600)
    /// What nobody decided, or is over, is shown so long.
    private static let memory: Duration = .seconds(90 * 86_400)

    let ingest: Ingest
    let surroundings: Surroundings

    private var store: Store { ingest.store }
    private var now: Timestamp { surroundings.now() }

    func all() throws -> [GrantRecord] { try store.read { try $0.grants.all() } }

    /// `identity` nil: of all apps. What has run out and was not ended yet is among them.
    func granted(to identity: String? = nil) throws -> [GrantRecord] {
        try store.read { try $0.grants.all(.granted, of: identity) }
    }

    /// What the app may not ask again yet. A clock that was set back has refused nothing.
    func refused(to identity: String) throws -> [GrantRecord] {
        try store.read { try $0.grants.all(.refused, of: identity, endingAfter: now) }
            .filter { $0.askedAt <= now }
    }

    /// What still holds of one app; `client` nil: whatever it calls itself.
    func holding(for identity: String, client: String? = nil) throws -> [GrantRecord] {
        try store.read { try $0.grants.all(.granted, of: identity, client: client) }.filter(holds)
    }

    /// The grant that allows all `protocols`.
    func holding(for app: GrantRecord.App, _ protocols: [String]) throws -> GrantRecord? {
        try holding(for: app.identity, client: app.clientID).first {
            $0.app.id == app.id && Set(protocols).isSubset(of: $0.protocols)
        }
    }

    /// All that the app may do at a service now, by whatever grants.
    func protocols(of app: GrantRecord.App, at service: GrantRecord.Service) throws -> Set<String> {
        let grants = try holding(for: app.identity, client: app.clientID)
            .filter { $0.services.contains(where: service.isSame) }
        return Set(grants.flatMap(\.protocols))
    }

    /// The person said no a short while ago, or nothing, to the same, to some of it or to more: an app could else ask
    /// on by adding a protocol or leaving one out. What it calls itself it may choose, too.
    func wasRefused(_ app: GrantRecord.App, _ protocols: [String]) throws -> Bool {
        let asked = Set(protocols)
        return try refused(to: app.identity).contains { grant in
            asked.isSubset(of: grant.protocols) || asked.isSuperset(of: grant.protocols)
        }
    }

    private func holds(_ grant: GrantRecord) -> Bool {
        grant.state == .granted && grant.expiresAt.map { now < $0 } ?? false
    }

    /// Whether `service` is still allowed: it may be taken back while its token is fetched.
    func allows(_ service: GrantRecord.Service, by id: Int64) throws -> Bool {
        guard let grant = try store.read({ try $0.grants.find(id) }) else { return false }
        return holds(grant) && grant.services.contains { $0.isSame(as: service) }
    }

    /// Nobody has decided yet.
    func isOpen(_ id: Int64) throws -> Bool {
        try store.read { try $0.grants.find(id) }?.state == .asked
    }

    func ask(_ app: GrantRecord.App, _ protocols: [String]) throws -> Int64 {
        var id: Int64 = 0
        try ingest.log(AccessChange(.accessRequested, of: app.identity, name: app.name)) { transaction in
            try transaction.grants.prune(before: now - Self.memory)
            id = try transaction.grants.insert(app, protocols: protocols, at: now)
        }
        return id
    }

    enum Refusal {
        case byPerson
        /// Nobody answered in time.
        case bySilence
        /// The app went away, or the person has refused nothing.
        case byNobody
    }

    func refuse(_ id: Int64, _ refusal: Refusal) throws {
        try change(id, .accessRefused) {
            $0.state = .refused
            switch refusal {
            case .byPerson: ($0.decidedAt, $0.expiresAt) = (now, now + Self.refusalLife)
            case .bySilence: $0.expiresAt = now + Self.silenceLife
            case .byNobody: break
            }
        }
    }

    /// `life`: how long it holds without another question.
    func grant(_ id: Int64, _ services: [GrantRecord.Service], life: Duration) throws {
        try change(id, .accessGranted) {
            ($0.state, $0.services) = (.granted, services)
            ($0.decidedAt, $0.expiresAt) = (now, now + life)
        }
    }

    /// Some services less; over where none is left.
    func revoke(_ id: Int64, at gone: (GrantRecord.Service) -> Bool) throws {
        let grant = try store.read { try $0.grants.find(id) }
        guard grant?.services.contains(where: gone) == true else { return }
        try change(id, .accessRevoked) {
            $0.services.removeAll(where: gone)
            if $0.services.isEmpty { $0.state = .revoked }
        }
    }

    func forgetRefusal(_ id: Int64) throws {
        try change(id, .accessRevoked) { ($0.state, $0.expiresAt) = (.revoked, nil) }
    }

    func expire(_ id: Int64) throws { try change(id, .accessRevoked) { $0.state = .expired } }

    /// Requests of an earlier run: nobody waits for them any more.
    func endRequests() throws {
        for grant in try store.read({ try $0.grants.all(.asked) }) { try refuse(grant.id, .byNobody) }
    }

    private func change(
        _ id: Int64, _ kind: LogEntry.Kind, _ body: (inout GrantRecord) -> Void
    ) throws {
        guard var grant = try store.read({ try $0.grants.find(id) }) else { return }
        let services = grant.services
        body(&grant)
        let told = grant.services.isEmpty ? services : grant.services
        let change = AccessChange(
            kind, of: grant.app.identity, name: grant.app.name, services: told.map(\.name))
        try ingest.log(change) { try $0.grants.update(grant) }
    }
}

extension GrantRecord.Service {
    /// What it calls itself may be another name by now. What another person allowed there is something else.
    func isSame(as other: Self) -> Bool {
        link == other.link && account == other.account && person == other.person
    }
}
