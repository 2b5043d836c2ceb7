import CutieAPI
import Foundation
import GRDB

/// A program that may ask for tokens.
struct Client: Sendable {
    let id: String
    /// At most.
    let scopes: Set<Scope>
    /// It has no secret, and people sign in with it.
    let isPublic: Bool

    /// The daemon's.
    static let cutied = Client(id: "cutied", scopes: .offered, isPublic: true)

    private static let redirects: Set = ["io.cutied.cutied:/signin", "cutie://signin"]

    /// Whether an answer may go there: to one of its own schemes, or to a listener on this machine, whatever its
    /// port (RFC 8252, 7.3).
    func admits(redirect: String) -> Bool {
        guard isPublic else { return false }
        if Self.redirects.contains(redirect) { return true }
        guard let parts = URLComponents(string: redirect), parts.scheme == "http" else { return false }
        return ["127.0.0.1", "[::1]"].contains(parts.host) && parts.path == "/signin"
            && parts.query == nil && parts.fragment == nil && parts.user == nil && parts.password == nil
    }
}

/// What a caller of the token, device or revocation endpoint says of who it is.
struct ClientClaim {
    let id: String?
    /// Id and secret; twice where Basic can be read in two ways: some join them as RFC 6749, 2.3.1 says, some do not.
    private let proofs: [OAuthClient]
    let isBasic: Bool

    var hasSecret: Bool { !proofs.isEmpty }

    /// By HTTP Basic or in the body, not by both. Throws `invalid_request` and `invalid_client`.
    init(_ call: Call, _ form: Form) throws(Refusal) {
        guard let line = call.header(HeaderName.authorization) else {
            (id, isBasic) = (form["client_id"], false)
            proofs =
                id.flatMap { id in form["client_secret"].map { [OAuthClient(id: id, secret: $0)] } } ?? []
            return
        }
        guard form["client_secret"] == nil else {
            throw .grant("invalid_request", "the client proves itself in the body and by Authorization")
        }
        let (plain, decoded) = try Self.basic(line)
        guard form["client_id"].map({ [plain.id, decoded?.id].contains($0) }) ?? true else {
            throw .grant("invalid_request", "client_id is another than Authorization's")
        }
        (id, isBasic) = (form["client_id"] ?? plain.id, true)
        // A public client has no password for Basic, and may send an empty one.
        proofs = plain.secret.isEmpty ? [] : [plain, decoded].compactMap(\.self)
    }

    /// Id and secret, also decoded as from a form.
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
        throw unknown("Authorization must be Basic with client_id and client_secret", isBasic: true)
    }

    /// The client that this is. Throws `invalid_client`.
    func client(in database: Database) throws -> Client {
        for proof in proofs {
            if let scopes = try database.scopes(of: proof) {
                return Client(id: proof.id, scopes: scopes, isPublic: false)
            }
        }
        if proofs.isEmpty, id == Client.cutied.id { return .cutied }
        throw Self.unknown("unknown client_id, or not its client_secret", isBasic: isBasic)
    }

    /// Whether a token of `client` may be this one's; who says nothing is not asked (RFC 6749, 6).
    func mayBe(_ client: String?) -> Bool {
        guard let client, let id else { return true }
        return id == client || proofs.contains { $0.id == client }
    }

    private static func unknown(_ sentence: String, isBasic: Bool) -> Refusal {
        var refusal = Refusal.grant("invalid_client", sentence, .unauthorized)
        // Only to who tried it: others would wait for a person who can be asked.
        if isBasic { refusal.challenge = "Basic realm=\"Cuti-E\"" }
        return refusal
    }
}

extension Database {
    /// What the client may do whose secret this is; nil where it is nobody's.
    fileprivate func scopes(of client: OAuthClient) throws -> Set<Scope>? {
        let first = OAuthClient(
            id: try setting("client_id") ?? "", secret: try setting("client_secret") ?? "")
        if client == first, !client.secret.isEmpty { return .all }
        let words = try String.fetchOne(
            self, sql: "SELECT scopes FROM credential WHERE clientID = ? AND secret = ?",
            arguments: [client.id, client.secret])
        return words.flatMap { Set(words: $0) }
    }
}
