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
                let own = try change.database.requireAdmin(token, .writeCredentials).scopes
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
            words.allSatisfy({ Scope(rawValue: $0) != nil }), scopes.isSubset(of: .all)
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

    /// A password for a person: 20 letters and digits of which none looks like another, about 100 bits.
    static func password() -> String {
        let characters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<20).compactMap { _ in characters.randomElement() })
    }

    static func hexadecimal(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { Hexadecimal.text(of: $0) }
    }
}
