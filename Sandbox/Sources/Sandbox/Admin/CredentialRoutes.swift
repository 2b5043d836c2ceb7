import CutieAPI
import GRDB
import Hummingbird

/// OAuth client credentials that an admin creates for a program.
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

/// The route `POST /v1/admin/api-credentials`, which creates API credentials. No other response contains the
/// secret.
struct CredentialRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    private struct CredentialRequest: Decodable {
        let name: String
        let scopes: [String]
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/admin/api-credentials", [.post: create])
    }

    @Sendable private func create(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        return try .json(
            await archive.change { change in
                let own = try change.database.requireAdmin(ofAccessToken: token, scopes: .writeCredentials)
                    .scopes
                let wish: CredentialRequest = try call.decodeBody()
                try wish.name.requireNonBlank(fieldName: "name")
                let scopes = try Self.parseScopes(wish.scopes)
                guard scopes.isSubset(of: own) else {
                    throw Refusal.insufficientScope(missing: scopes.subtracting(own))
                }
                return try change.createCredential(named: wish.name, scopes: scopes)
            }, status: .created)
    }

    private static func parseScopes(_ scopeNames: [String]) throws(Refusal) -> Set<Scope> {
        guard !scopeNames.isEmpty else { throw Refusal(.unprocessable, "scopes must not be empty") }
        guard let scopes = Set<Scope>(scopeList: scopeNames.joined(separator: " ")),
            scopeNames.allSatisfy({ Scope(rawValue: $0) != nil }), scopes.isSubset(of: .all)
        else { throw Refusal(.unprocessable, "scopes must be a subset of \(Set<Scope>.all.scopeList)") }
        return scopes
    }
}

extension SandboxTransaction {
    fileprivate func createCredential(named name: String, scopes: Set<Scope>) throws -> APICredential {
        let credential = APICredential(
            clientID: RandomText.makeID(prefix: "cutie_ci_"),
            clientSecret: RandomText.makeID(prefix: "cutie_cs_"), name: name,
            scopes: scopes.map(\.rawValue).sorted(), createdAt: now)
        try database.run(
            sql: "INSERT INTO credential VALUES (?, ?, ?, ?, ?)",
            arguments: [
                credential.clientID, credential.clientSecret, name, scopes.scopeList, now.milliseconds,
            ])
        return credential
    }
}

extension Refusal {
    /// Returns the error for a valid token that lacks scopes (`insufficient_scope` in RFC 6750).
    static func insufficientScope(missing scopes: Set<Scope>) -> Refusal {
        var refusal = Refusal(
            .forbidden, "insufficient_scope: the token lacks \(scopes.scopeList)", code: .insufficientScope)
        refusal.challenge = "Bearer error=\"insufficient_scope\", scope=\"\(scopes.scopeList)\""
        return refusal
    }
}

/// A generator for IDs and secrets with 128 random bits.
enum RandomText {
    static func makeID(prefix: String) -> String {
        prefix + hexadecimalText(of: UInt64.random(in: 0 ... .max))
            + hexadecimalText(of: UInt64.random(in: 0 ... .max))
    }

    /// Returns a password of 20 characters (about 100 bits). Characters that look alike, such as `l` and `1`,
    /// are excluded.
    static func makePassword() -> String {
        let characters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<20).compactMap { _ in characters.randomElement() })
    }

    static func hexadecimalText(of number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { Hexadecimal.hexText(of: $0) }
    }
}
