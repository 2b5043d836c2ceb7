import CutieAPI
import GRDB

/// `POST /v1/auth/oauth/token`, by RFC 6749.
enum OAuth {
    static let accessLife = 3600
    static let refreshLife = 30 * 86_400

    struct Request: Codable {
        var grantType: String
        var clientID: String?
        var clientSecret: String?
        var refreshToken: String?
        /// Words with spaces between; nil: all that the client may.
        var scope: String?
        /// The same client where it wrote itself into Basic as into a form: some do, as RFC 6749 says, some do not.
        var decoded: OAuthClient?
        var isBasic = false

        enum CodingKeys: String, CodingKey {
            case scope
            case grantType = "grant_type"
            case clientID = "client_id"
            case clientSecret = "client_secret"
            case refreshToken = "refresh_token"
        }
    }

    struct Answer: Codable {
        let accessToken: String
        let refreshToken: String
        let expiresIn: Int
        let tokenType: String
        let scope: String?

        enum CodingKeys: String, CodingKey {
            case scope
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case expiresIn = "expires_in"
            case tokenType = "token_type"
        }
    }
}

extension Change {
    /// Gives tokens for a client's secret, or for a refresh token, which is used up by that.
    func grant(_ request: OAuth.Request) throws -> OAuth.Answer {
        let (client, scopes): (String?, Set<Scope>)
        switch request.grantType {
        case "client_credentials": (client, scopes) = try proven(request)
        case "refresh_token": (client, scopes) = try useUp(request)
        default: throw Refusal.grant("unsupported_grant_type", "it is client_credentials or refresh_token")
        }
        let chosen = try narrowed(scopes, to: request.scope)
        try database.run(
            sql: "DELETE FROM adminToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        return OAuth.Answer(
            accessToken: try issue("access", to: client, chosen, life: OAuth.accessLife),
            refreshToken: try issue("refresh", to: client, chosen, life: OAuth.refreshLife),
            expiresIn: OAuth.accessLife, tokenType: "Bearer", scope: chosen.words)
    }

    /// The client and what it may do.
    private func proven(_ request: OAuth.Request) throws -> (String?, Set<Scope>) {
        let plain = request.clientID.flatMap { id in
            request.clientSecret.map { OAuthClient(id: id, secret: $0) }
        }
        for client in [plain, request.decoded].compactMap(\.self) {
            if let scopes = try database.scopes(of: client) { return (client.id, scopes) }
        }
        var refusal = Refusal.grant(
            "invalid_client", "unknown client_id, or not its client_secret", .unauthorized)
        // Only to who tried it: others would wait for a person who can be asked.
        if request.isBasic { refusal.challenge = "Basic realm=\"Cuti-E\"" }
        throw refusal
    }

    /// Whoever says who they are has to be the client that the token was given to.
    private func useUp(_ request: OAuth.Request) throws -> (String?, Set<Scope>) {
        if request.clientSecret != nil { _ = try proven(request) }
        let row = try database.row(
            sql: """
                DELETE FROM adminToken WHERE token = ?1 AND kind = 'refresh' AND expiresAt > ?2
                    AND (clientID IS NULL OR clientID = coalesce(?3, clientID)) RETURNING clientID, scopes
                """,
            arguments: [request.refreshToken ?? "", now.milliseconds, request.clientID])
        guard let row else {
            throw Refusal.grant(
                "invalid_grant", "the refresh_token is unknown, used, expired or another client's")
        }
        let words: String? = row["scopes"]
        return (row["clientID"], words.flatMap { Set(words: $0) } ?? .all)
    }

    private func narrowed(_ scopes: Set<Scope>, to wish: String?) throws -> Set<Scope> {
        guard let wish else { return scopes }
        guard let chosen = Set<Scope>(words: wish), !chosen.isEmpty, chosen.isSubset(of: scopes) else {
            throw Refusal.grant("invalid_scope", "the client may have \(scopes.words)")
        }
        return chosen
    }

    private func issue(
        _ kind: String, to client: String?, _ scopes: Set<Scope>, life: Int
    ) throws -> String {
        let token = Secret.make(kind == "access" ? "cutie_at_" : "cutie_rt_")
        try database.run(
            sql: "INSERT INTO adminToken (token, kind, expiresAt, clientID, scopes) VALUES (?, ?, ?, ?, ?)",
            arguments: [token, kind, now.advanced(bySeconds: life).milliseconds, client, scopes.words])
        return token
    }
}

extension Refusal {
    /// As RFC 6749, 5.2 tells it: a word for programs and a sentence for people.
    static func grant(_ word: String, _ sentence: String, _ kind: Kind = .badRequest) -> Refusal {
        var refusal = Refusal(kind, word)
        refusal.explanation = sentence
        return refusal
    }
}
