import CutieAPI
import GRDB

/// `POST /v1/auth/oauth/token`.
enum OAuth {
    static let accessLife = 3600
    static let refreshLife = 30 * 86_400

    struct Request: Codable {
        let grantType: String
        var clientID: String?
        var clientSecret: String?
        var refreshToken: String?

        enum CodingKeys: String, CodingKey {
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

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case expiresIn = "expires_in"
            case tokenType = "token_type"
        }
    }
}

extension Change {
    /// Gives tokens for the client's secret, or for a refresh token, which is used up by that.
    func grant(_ request: OAuth.Request, to client: OAuthClient) throws -> OAuth.Answer {
        switch request.grantType {
        case "client_credentials":
            guard request.clientID == client.id, request.clientSecret == client.secret else {
                throw Refusal(.unauthorized, "invalid_client")
            }
        case "refresh_token": try useUp(request.refreshToken ?? "")
        default: throw Refusal(.badRequest, "unsupported_grant_type")
        }
        try database.run(
            sql: "DELETE FROM adminToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        return OAuth.Answer(
            accessToken: try issue("access", life: OAuth.accessLife),
            refreshToken: try issue("refresh", life: OAuth.refreshLife),
            expiresIn: OAuth.accessLife, tokenType: "Bearer")
    }

    private func useUp(_ token: String) throws {
        try database.run(
            sql: "DELETE FROM adminToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard database.changesCount == 1 else { throw Refusal(.unauthorized, "invalid_grant") }
    }

    private func issue(_ kind: String, life: Int) throws -> String {
        let token = Secret.make(kind == "access" ? "cutie_at_" : "cutie_rt_")
        try database.run(
            sql: "INSERT INTO adminToken VALUES (?, ?, ?)",
            arguments: [token, kind, now.advanced(bySeconds: life).milliseconds])
        return token
    }
}
