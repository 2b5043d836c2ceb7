import CutieAPI
import Foundation
import GRDB

/// An OAuth client.
struct TokenClient: Sendable {
    let id: String
    /// The scopes that the client may request.
    let scopes: Set<Scope>
    /// Whether the client has no secret. Users sign in with a public client.
    let isPublic: Bool

    /// The public client with which users of cutied sign in.
    static let cutied = TokenClient(id: "cutied", scopes: .offered, isPublic: true)

    private static let redirects: Set = ["io.cutied.cutied:/signin", "cutie://signin"]

    /// Returns whether the redirect URI is allowed: a private-use URI of the client, or a loopback address
    /// with any port (RFC 8252, 7.3).
    func allows(redirect: String) -> Bool {
        guard isPublic else { return false }
        if Self.redirects.contains(redirect) { return true }
        guard let parts = URLComponents(string: redirect), parts.scheme == "http" else { return false }
        return ["127.0.0.1", "[::1]"].contains(parts.host) && parts.path == "/signin"
            && parts.query == nil && parts.fragment == nil && parts.user == nil && parts.password == nil
    }
}

/// The client credentials in a request to the token, device authorization or revocation endpoint.
struct ClientCredentials {
    let id: String?
    /// The possible pairs of ID and secret. A Basic header can have two interpretations: RFC 6749, 2.3.1
    /// requires form encoding of both values, but some clients do not encode them.
    private let proofs: [OAuthClient]
    let isBasic: Bool

    var hasSecret: Bool { !proofs.isEmpty }

    /// Parses the credentials in the HTTP Basic header or in the body.
    ///
    /// - Throws: `Refusal` (`invalid_request` if both are present, `invalid_client` if the header is
    ///   invalid).
    init(_ call: SandboxCall, _ form: FormParameters) throws(Refusal) {
        guard let line = call.header(HeaderName.authorization) else {
            (id, isBasic) = (form["client_id"], false)
            proofs =
                id.flatMap { id in form["client_secret"].map { [OAuthClient(id: id, secret: $0)] } } ?? []
            return
        }
        guard form["client_secret"] == nil else {
            throw .oauthError(
                "invalid_request", "the client sends credentials both in the body and in Authorization")
        }
        let (plain, decoded) = try Self.parseBasicCredentials(line)
        guard form["client_id"].map({ [plain.id, decoded?.id].contains($0) }) ?? true else {
            throw .oauthError("invalid_request", "client_id does not match Authorization")
        }
        (id, isBasic) = (form["client_id"] ?? plain.id, true)
        // A public client has no secret but may send an empty secret in a Basic header.
        proofs = plain.secret.isEmpty ? [] : [plain, decoded].compactMap(\.self)
    }

    /// Returns the ID and the secret as sent, and their form-decoded values; `decoded` is `nil` if decoding
    /// fails.
    private static func parseBasicCredentials(_ headerValue: String) throws(Refusal) -> (
        OAuthClient, decoded: OAuthClient?
    ) {
        let words = headerValue.split(separator: " ")
        if words.count == 2, words[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(words[1])),
            let colon = data.firstIndex(of: UInt8(ascii: ":")),
            let id = String(validating: data[..<colon], as: UTF8.self),
            let secret = String(validating: data[colon...].dropFirst(), as: UTF8.self)
        {
            let decoded = FormParameters.decodeValue(id.utf8).flatMap { id in
                FormParameters.decodeValue(secret.utf8).map { OAuthClient(id: id, secret: $0) }
            }
            return (OAuthClient(id: id, secret: secret), decoded)
        }
        throw makeUnknownClientRefusal(
            description: "Authorization must be Basic, with client_id and client_secret",
            usesBasicAuthentication: true)
    }

    /// Authenticates the client.
    ///
    /// - Throws: `Refusal` (`invalid_client`).
    func authenticateClient(in database: Database) throws -> TokenClient {
        for proof in proofs {
            if let scopes = try database.findScopes(of: proof) {
                return TokenClient(id: proof.id, scopes: scopes, isPublic: false)
            }
        }
        if proofs.isEmpty, id == TokenClient.cutied.id { return .cutied }
        throw Self.makeUnknownClientRefusal(
            description: "unknown client_id or wrong client_secret", usesBasicAuthentication: isBasic)
    }

    /// Returns whether the caller may use a token that was issued to `client`. A caller that sends no client
    /// ID may use any token (RFC 6749, 6).
    func mayUseToken(issuedTo client: String?) -> Bool {
        guard let client, let id else { return true }
        return id == client || proofs.contains { $0.id == client }
    }

    private static func makeUnknownClientRefusal(description sentence: String, usesBasicAuthentication: Bool)
        -> Refusal
    {
        var refusal = Refusal.oauthError("invalid_client", sentence, .unauthorized)
        // Send `WWW-Authenticate` only to callers that used HTTP Basic, because this header makes browsers
        // show a password prompt.
        if usesBasicAuthentication { refusal.challenge = "Basic realm=\"Cuti-E\"" }
        return refusal
    }
}

extension Database {
    /// Returns the scopes of a client; `nil` if the ID or the secret is wrong.
    fileprivate func findScopes(of client: OAuthClient) throws -> Set<Scope>? {
        let first = OAuthClient(
            id: try findSetting("client_id") ?? "", secret: try findSetting("client_secret") ?? "")
        if client == first, !client.secret.isEmpty { return .all }
        let words = try String.fetchOne(
            self, sql: "SELECT scopes FROM credential WHERE clientID = ? AND secret = ?",
            arguments: [client.id, client.secret])
        return words.flatMap { Set(scopeList: $0) }
    }
}
