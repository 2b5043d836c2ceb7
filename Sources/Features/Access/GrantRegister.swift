import CutieAPI
import EventLog
import FeedPolicy
@_spi(Access) import Store

/// The requests of apps and the user's decisions. Each change is stored before it takes effect.
struct GrantRegister {
    /// The minimum time between a refusal and the app's next question.
    static let refusalDuration: Duration = .seconds(86_400)
    /// The minimum time between an unanswered question and the app's next question. This time is shorter
    /// than `refusalDuration`, because the user may have been absent.
    static let unansweredDuration: Duration = .seconds(3600)
    /// The time for which undecided and ended requests are stored.
    private static let retention: Duration = .seconds(90 * 86_400)

    let ingest: Ingest
    let runtime: RuntimeEnvironment

    private var store: MessageStore { ingest.store }
    private var now: Timestamp { runtime.now() }

    func fetchAll() throws -> [GrantRecord] { try store.read { try $0.grants.fetchAll() } }

    /// Returns the grants, including grants that have expired but have not been ended yet. `identity`: `nil`
    /// for all apps.
    func fetchGrants(for identity: String? = nil) throws -> [GrantRecord] {
        try store.read { try $0.grants.fetchAll(in: .granted, ofApp: identity) }
    }

    /// Returns the refusals that still prevent the app from asking again. Ignores refusals dated in the
    /// future: the clock was set back after the refusal, so it is unknown when the refusal expires.
    func fetchRefusals(for identity: String) throws -> [GrantRecord] {
        try store.read { try $0.grants.fetchAll(in: .refused, ofApp: identity, expiringAfter: now) }
            .filter { $0.askedAt <= now }
    }

    /// Returns the valid grants of an app. `clientID`: `nil` for all client IDs of the app.
    func fetchValidGrants(for identity: String, clientID: String? = nil) throws -> [GrantRecord] {
        try store.read { try $0.grants.fetchAll(in: .granted, ofApp: identity, client: clientID) }.filter(
            isValid)
    }

    /// Returns the valid grant that allows all `protocols`; `nil` if there is none.
    func findValidGrant(for app: GrantRecord.App, protocols: [String]) throws -> GrantRecord? {
        try fetchValidGrants(for: app.identity, clientID: app.clientID).first {
            $0.app.id == app.id && Set(protocols).isSubset(of: $0.protocols)
        }
    }

    /// Returns all protocols that the app's grants allow for a service.
    func grantedProtocols(of app: GrantRecord.App, at service: GrantRecord.Service) throws -> Set<String> {
        let grants = try fetchValidGrants(for: app.identity, clientID: app.clientID)
            .filter { $0.services.contains(where: service.isSameService) }
        return Set(grants.flatMap(\.protocols))
    }

    /// Returns whether the user recently refused, or did not answer, a similar request. Subsets and supersets
    /// of the protocols are similar, so that an app cannot ask again by adding or omitting a protocol. The
    /// client ID is ignored, because the app chooses it.
    func wasSimilarRequestRefused(from app: GrantRecord.App, for protocols: [String]) throws -> Bool {
        let asked = Set(protocols)
        return try fetchRefusals(for: app.identity).contains { grant in
            asked.isSubset(of: grant.protocols) || asked.isSuperset(of: grant.protocols)
        }
    }

    private func isValid(_ grant: GrantRecord) -> Bool {
        grant.state == .granted && grant.expiresAt.map { now < $0 } ?? false
    }

    /// Returns whether the grant still includes `service`. The service may have been removed from the grant
    /// during a token request.
    func isAllowed(_ service: GrantRecord.Service, byGrant id: Int64) throws -> Bool {
        guard let grant = try store.read({ try $0.grants.find(id) }) else { return false }
        return isValid(grant) && grant.services.contains { $0.isSameService(as: service) }
    }

    func isRequestUndecided(_ id: Int64) throws -> Bool {
        try store.read { try $0.grants.find(id) }?.state == .asked
    }

    func addRequest(from app: GrantRecord.App, for protocols: [String]) throws -> Int64 {
        var id: Int64 = 0
        try ingest.log(AccessLogEntry(.accessRequested, of: app.identity, name: app.name)) { transaction in
            try transaction.grants.prune(before: now - Self.retention)
            id = try transaction.grants.insertRequest(from: app, protocols: protocols, at: now)
        }
        return id
    }

    enum Refusal {
        case byUser
        /// The user did not answer in time.
        case byTimeout
        /// The app disconnected, or the user was asked only to sign in.
        case bySystem
    }

    func recordRefusal(ofRequest id: Int64, as refusal: Refusal) throws {
        try updateGrant(id, logging: .accessRefused) {
            $0.state = .refused
            switch refusal {
            case .byUser: ($0.decidedAt, $0.expiresAt) = (now, now + Self.refusalDuration)
            case .byTimeout: $0.expiresAt = now + Self.unansweredDuration
            case .bySystem: break
            }
        }
    }

    /// Records that the user granted the request. The grant expires after `lifetime`.
    func recordGrant(ofRequest id: Int64, services: [GrantRecord.Service], lifetime: Duration) throws {
        try updateGrant(id, logging: .accessGranted) {
            ($0.state, $0.services) = (.granted, services)
            ($0.decidedAt, $0.expiresAt) = (now, now + lifetime)
        }
    }

    /// Removes services from a grant. Ends the grant if no services remain.
    func revokeServices(ofGrant id: Int64, where shouldRevoke: (GrantRecord.Service) -> Bool) throws {
        let grant = try store.read { try $0.grants.find(id) }
        guard grant?.services.contains(where: shouldRevoke) == true else { return }
        try updateGrant(id, logging: .accessRevoked) {
            $0.services.removeAll(where: shouldRevoke)
            if $0.services.isEmpty { $0.state = .revoked }
        }
    }

    func deleteRefusal(_ id: Int64) throws {
        try updateGrant(id, logging: .accessRevoked) { ($0.state, $0.expiresAt) = (.revoked, nil) }
    }

    func markGrantExpired(_ id: Int64) throws {
        try updateGrant(id, logging: .accessRevoked) { $0.state = .expired }
    }

    /// Ends the open requests of a previous run of the daemon, because their callers are disconnected.
    func expireOpenRequests() throws {
        for grant in try store.read({ try $0.grants.fetchAll(in: .asked) }) {
            try recordRefusal(ofRequest: grant.id, as: .bySystem)
        }
    }

    private func updateGrant(
        _ id: Int64, logging kind: LogEntry.Kind, _ body: (inout GrantRecord) -> Void
    ) throws {
        guard var grant = try store.read({ try $0.grants.find(id) }) else { return }
        let services = grant.services
        body(&grant)
        let affected = grant.services.isEmpty ? services : grant.services
        let change = AccessLogEntry(
            kind, of: grant.app.identity, name: grant.app.name, services: affected.map(\.name))
        try ingest.log(change) { try $0.grants.update(grant) }
    }
}

extension GrantRecord.Service {
    /// Returns whether both values describe the same service of the same user. Ignores the name, which may
    /// change.
    func isSameService(as other: Self) -> Bool {
        link == other.link && account == other.account && person == other.person
    }
}
