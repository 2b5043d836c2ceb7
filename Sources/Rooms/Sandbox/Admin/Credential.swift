import CutieAPI
import GRDB
import Hummingbird

/// What a program of the admin's proves itself with, and what it may do.
struct APICredential: Encodable {
    let clientID: String
    let clientSecret: String
    let name: String
    let scopes: [String]
    let createdAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case name, scopes
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case createdAt = "created_at"
    }
}

/// `POST /v1/admin/api-credentials`: the secret is told once.
struct CredentialRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    private struct Wish: Decodable {
        let name: String
        let scopes: [String]
    }

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/admin/api-credentials", [.post: create])
    }

    @Sendable private func create(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        return try .json(
            await archive.change { change in
                let own = try change.database.requireAdmin(token, .writeCredentials)
                let wish: Wish = try call.decode()
                try wish.name.checkMessage("name")
                let scopes = try Self.known(wish.scopes)
                guard scopes.isSubset(of: own) else { throw Refusal.lacking(scopes.subtracting(own)) }
                return try change.makeCredential(named: wish.name, for: scopes)
            }, status: .created)
    }

    private static func known(_ words: [String]) throws(Refusal) -> Set<Scope> {
        guard !words.isEmpty else { throw Refusal(.unprocessable, "scopes must not be empty") }
        guard let scopes = Set<Scope>(words: words.joined(separator: " ")),
            words.allSatisfy({ Scope(rawValue: $0) != nil })
        else { throw Refusal(.unprocessable, "scopes must be among \(Set<Scope>.all.words)") }
        return scopes
    }
}

extension Change {
    fileprivate func makeCredential(named name: String, for scopes: Set<Scope>) throws -> APICredential {
        let credential = APICredential(
            clientID: Secret.make("cutie_ci_"), clientSecret: Secret.make("cutie_cs_"), name: name,
            scopes: scopes.map(\.rawValue).sorted(), createdAt: now)
        try database.run(
            sql: "INSERT INTO credential VALUES (?, ?, ?, ?, ?)",
            arguments: [
                credential.clientID, credential.clientSecret, name, scopes.words, now.milliseconds,
            ])
        return credential
    }
}

extension Database {
    /// What the client may do whose secret this is; nil where it is nobody's.
    func scopes(of client: OAuthClient) throws -> Set<Scope>? {
        let first = OAuthClient(
            id: try setting("client_id") ?? "", secret: try setting("client_secret") ?? "")
        if client == first, !client.secret.isEmpty { return .all }
        let words = try String.fetchOne(
            self, sql: "SELECT scopes FROM credential WHERE clientID = ? AND secret = ?",
            arguments: [client.id, client.secret])
        return words.flatMap { Set(words: $0) }
    }

    /// What the access token may do. Throws 401 where it is unknown or has expired, 403 where it lacks one of
    /// `scopes`.
    @discardableResult
    func requireAdmin(_ accessToken: String, _ scopes: Scope...) throws -> Set<Scope> {
        let row = try row(
            sql: "SELECT expiresAt, scopes FROM adminToken WHERE token = ? AND kind = 'access'",
            arguments: [accessToken])
        let expiry: Int64? = row?["expiresAt"]
        guard let row, let expiry, expiry > Timestamp.now.milliseconds else {
            var refusal = Refusal(.unauthorized, "invalid or expired access token")
            refusal.challenge = "Bearer error=\"invalid_token\""
            throw refusal
        }
        let words: String? = row["scopes"]
        let own = words.flatMap { Set(words: $0) } ?? .all
        guard own.isSuperset(of: scopes) else { throw Refusal.lacking(Set(scopes).subtracting(own)) }
        return own
    }
}

/// What a credential of the admin API may do. A token has those of its credential, or fewer.
enum Scope: String, CaseIterable, Codable, Sendable {
    case readConversations = "conversations:read"
    case writeConversations = "conversations:write"
    case writeMessages = "messages:write"
    case writeTags = "tags:write"
    case readAnalytics = "analytics:read"
    case readCannedResponses = "canned_responses:read"
    case writeCannedResponses = "canned_responses:write"
    /// Makes credentials, none of which may do more than this one.
    case writeCredentials = "credentials:write"
    /// What no real server has: the looks behind the counter.
    case sandbox
}

extension Set<Scope> {
    static let all = Set(Scope.allCases)

    /// As RFC 6749 writes them: words with spaces between. Nil where there is an unknown word.
    init?(words: String) {
        self = []
        for word in words.split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { return nil }
            insert(scope)
        }
    }

    /// In the order of their names.
    var words: String { map(\.rawValue).sorted().joined(separator: " ") }
}

extension Refusal {
    /// By RFC 6750: the token is good, and not for this.
    static func lacking(_ scopes: Set<Scope>) -> Refusal {
        var refusal = Refusal(
            .forbidden, "insufficient_scope: the token lacks \(scopes.words)", code: .insufficientScope)
        refusal.challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scopes.words)\""
        return refusal
    }
}

/// Ids and secrets that cannot be guessed: 128 bits from the system's source.
enum Secret {
    static func make(_ prefix: String) -> String {
        prefix + hexadecimal(UInt64.random(in: 0 ... .max)) + hexadecimal(UInt64.random(in: 0 ... .max))
    }

    static func hexadecimal(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { Hexadecimal.text(of: $0) }
    }
}
