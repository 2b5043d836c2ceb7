import CutieAPI
import Foundation
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

extension OAuth.Request {
    /// From a form, as RFC 6749 has it, or from JSON. A client may prove itself by HTTP Basic instead of in
    /// the body, not by both.
    init(_ call: Call) throws(Refusal) {
        let type = call.header(HeaderName.contentType)?.lowercased() ?? ""
        let isForm = type.split(separator: ";").first == "application/x-www-form-urlencoded"
        // curl and URLSession call every body a form where nothing else is said; none begins like this.
        if isForm, call.body.first != UInt8(ascii: "{") {
            self = try Self(form: try Form(call.body))
        } else {
            do throws(Refusal) { self = try call.decode() } catch {
                throw .grant("invalid_request", error.sentence)
            }
        }
        guard let line = call.header(HeaderName.authorization) else { return }
        guard clientSecret == nil else {
            throw .grant("invalid_request", "the client proves itself in the body and by Authorization")
        }
        let (plain, decoded) = try Self.basic(line)
        (clientID, clientSecret, self.decoded) = (plain.id, plain.secret, decoded)
        isBasic = true
    }

    private init(form: Form) throws(Refusal) {
        guard let grantType = form["grant_type"] else {
            throw .grant("invalid_request", "grant_type is missing")
        }
        self.init(
            grantType: grantType, clientID: form["client_id"], clientSecret: form["client_secret"],
            refreshToken: form["refresh_token"], scope: form["scope"])
    }

    /// Id and secret, also decoded as from a form: so they are to be joined (RFC 6749, 2.3.1).
    private static func basic(_ line: String) throws(Refusal) -> (OAuthClient, decoded: OAuthClient?) {
        let words = line.split(separator: " ")
        if words.count == 2, words[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(words[1])),
            let colon = data.firstIndex(of: UInt8(ascii: ":")),
            let id = String(validating: data[..<colon], as: UTF8.self),
            let secret = String(validating: data[colon...].dropFirst(), as: UTF8.self)
        {
            let decoded = Form.decoded(id.utf8).flatMap { id in
                Form.decoded(secret.utf8).map { OAuthClient(id: id, secret: $0) }
            }
            return (OAuthClient(id: id, secret: secret), decoded)
        }
        var refusal = Refusal.grant(
            "invalid_client", "Authorization must be Basic with client_id and client_secret", .unauthorized)
        refusal.challenge = "Basic realm=\"Cuti-E\""
        throw refusal
    }
}

/// `application/x-www-form-urlencoded`. A parameter without a value is none (RFC 6749, 3.2).
struct Form {
    private var values: [String: String] = [:]

    init(_ body: [UInt8]) throws(Refusal) {
        for part in body.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.decoded(part[..<end]), let value = Self.decoded(part[end...].dropFirst())
            else {
                throw .grant("invalid_request", "the body is no form")
            }
            guard !value.isEmpty else { continue }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .grant("invalid_request", "a parameter is there twice")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Nil where it is no text.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
    }
}
