import CutieAPI
import GRDB

/// A permission from a user, stored by a service. The permission belongs to a client that registered a key
/// for the user, or to an app of such a client.
struct ServiceGrant: Sendable {
    let id: String
    /// The ID of the client's grant if this grant belongs to an app; otherwise `nil`.
    let parent: String?
    let clientID: String
    /// The user's ID at the issuer (`sub`).
    let subject: String
    /// The ID of the app; `nil` for the grant of a client.
    let appID: String?
    let key: WebKey
    /// The scopes of the app; in the grant of a client, the maximum scopes of its apps.
    let scopes: Set<String>
}

extension ServiceGrant {
    fileprivate init(_ row: Row) {
        id = row["id"]
        parent = row["parent"]
        clientID = row["clientID"]
        subject = row["subject"]
        appID = row["appID"]
        key = WebKey(id: nil, type: "EC", curve: "P-256", x: row["keyX"], y: row["keyY"])
        scopes = Set((row["scopes"] as String).split(separator: " ").map(String.init))
    }

    /// Returns the grant of a client that registers `key` for a user.
    static func makeClientGrant(for assertion: SignedAssertion, key: WebKey, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: RandomText.makeID(prefix: "grant_"), parent: nil, clientID: assertion.claims.client ?? "",
            subject: assertion.claims.subject, appID: nil, key: key, scopes: scopes)
    }

    /// Returns a new grant for an app of the client that this grant belongs to.
    func makeAppGrant(forApp id: String, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: RandomText.makeID(prefix: "grant_"), parent: self.id, clientID: clientID, subject: subject,
            appID: id,
            key: key, scopes: scopes)
    }

    var scopeList: String { scopes.sorted().joined(separator: " ") }
}

extension SignedAssertion.Claims {
    /// The ID of the client for which the issuer created the assertion.
    var client: String? { clientID ?? authorizedParty }
}

/// An access token and a refresh token of a grant.
struct ServiceTokenPair: Sendable {
    let accessToken: String
    let refreshToken: String
    let grant: ServiceGrant
}

extension Database {
    /// Returns the grant and the expiry time of an access token; `nil` if the token is unknown, expired or
    /// revoked.
    func findServiceGrant(ofAccessToken accessToken: String) throws -> (ServiceGrant, expiresAt: Timestamp)? {
        let row = try fetchRow(
            sql: """
                SELECT serviceGrant.*, expiresAt FROM serviceToken JOIN serviceGrant ON id = grantID
                WHERE token = ? AND kind = 'access' AND expiresAt > ?
                """,
            arguments: [accessToken, Timestamp.now.milliseconds])
        return row.map { (ServiceGrant($0), Timestamp(milliseconds: $0["expiresAt"])) }
    }

    /// Returns the grant that an access or refresh token belongs to, even if the token has expired.
    fileprivate func findGrant(ofToken token: String) throws -> ServiceGrant? {
        let row = try fetchRow(
            sql: """
                SELECT serviceGrant.* FROM serviceToken JOIN serviceGrant ON id = grantID WHERE token = ?
                """,
            arguments: [token])
        return row.map { ServiceGrant($0) }
    }
}

extension SandboxTransaction {
    /// Marks an assertion as used, to prevent replay.
    ///
    /// - Throws: `Refusal` (`invalid_grant`) if the assertion was already used.
    func consume(_ assertion: SignedAssertion) throws {
        try database.run(
            sql: "DELETE FROM usedAssertion WHERE expiresAt <= ?", arguments: [now.milliseconds])
        try database.run(
            sql: "INSERT OR IGNORE INTO usedAssertion (issuer, id, expiresAt) VALUES (?, ?, ?)",
            arguments: [
                assertion.claims.issuer, assertion.claims.id, Int64(assertion.claims.expiry * 1000) + 1,
            ])
        guard database.changesCount > 0 else { throw SignedAssertion.makeRefusal(reason: "was already used") }
    }

    /// Stores a grant. Returns its first tokens.
    ///
    /// - Throws: `Refusal` (401) if the parent grant has been revoked.
    func addGrant(_ grant: ServiceGrant, accessTokenLifetime lifetime: Int) throws -> ServiceTokenPair {
        if let parent = grant.parent {
            let row = try database.fetchRow(
                sql: "SELECT 1 FROM serviceGrant WHERE id = ?", arguments: [parent])
            guard row != nil else { throw Refusal.invalidToken("the service token was revoked") }
        }
        try database.run(
            sql: "DELETE FROM serviceToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        try database.run(
            sql: """
                INSERT INTO serviceGrant (id, parent, clientID, subject, appID, keyX, keyY, scopes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                grant.id, grant.parent, grant.clientID, grant.subject, grant.appID, grant.key.x, grant.key.y,
                grant.scopeList,
            ])
        return try issueTokens(for: grant, accessTokenLifetime: lifetime)
    }

    /// Exchanges a refresh token for new tokens; returns `nil` if the token is unknown. A second use of a
    /// refresh token revokes the grant. The error is then returned in a `Result`, because a thrown error
    /// would roll back the revocation.
    func exchangeServiceRefreshToken(
        _ token: String, clientID: String?, accessTokenLifetime: Int
    ) throws -> Result<ServiceTokenPair, Refusal>? {
        guard let grant = try database.findGrant(ofToken: token) else { return nil }
        let state = try database.fetchRow(
            sql: "SELECT isSpent FROM serviceToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let state, grant.clientID == clientID else {
            throw Refusal.oauthError(
                "invalid_grant", "the refresh_token is expired, missing, or belongs to another client")
        }
        if state["isSpent"] {
            try revoke(grant)
            return .failure(
                .oauthError(
                    "invalid_grant",
                    "the refresh_token was already used; all tokens derived from it were revoked"))
        }
        try database.run(sql: "UPDATE serviceToken SET isSpent = 1 WHERE token = ?", arguments: [token])
        return .success(try issueTokens(for: grant, accessTokenLifetime: accessTokenLifetime))
    }

    /// Revokes the grant of a token, including the grants of its apps. Returns `false` if the token is
    /// unknown.
    func revokeGrant(ofServiceToken token: String, clientID: String?) throws -> Bool {
        guard let grant = try database.findGrant(ofToken: token) else { return false }
        guard grant.clientID == clientID else {
            throw Refusal.oauthError("invalid_grant", "the token was issued to another client")
        }
        try revoke(grant)
        return true
    }

    /// Revokes all grants of a user.
    func revokeServiceGrants(of subject: String) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM serviceGrant WHERE subject = ?", arguments: [subject])
        for row in rows { try revoke(ServiceGrant(row)) }
    }

    private func revoke(_ grant: ServiceGrant) throws {
        let grants = try String.fetchAll(
            database,
            sql: """
                WITH RECURSIVE tree(id) AS (
                    VALUES (?) UNION SELECT serviceGrant.id FROM serviceGrant JOIN tree ON parent = tree.id
                ) SELECT id FROM tree
                """,
            arguments: [grant.id])
        for id in grants {
            try database.run(sql: "DELETE FROM serviceToken WHERE grantID = ?", arguments: [id])
            try database.run(sql: "DELETE FROM serviceGrant WHERE id = ?", arguments: [id])
        }
        // Wake the open streams of the apps, so that they notice the revoked token and end.
        wakeReaders(of: .staff)
    }

    private func issueTokens(for grant: ServiceGrant, accessTokenLifetime: Int) throws -> ServiceTokenPair {
        ServiceTokenPair(
            accessToken: try createToken(ofKind: "access", for: grant, lifetime: accessTokenLifetime),
            refreshToken: try createToken(
                ofKind: "refresh", for: grant, lifetime: TokenRules().refreshTokenLifetime),
            grant: grant)
    }

    private func createToken(ofKind kind: String, for grant: ServiceGrant, lifetime: Int) throws -> String {
        let token = RandomText.makeID(prefix: kind == "access" ? "cutie_st_" : "cutie_sr_")
        try database.run(
            sql: "INSERT INTO serviceToken (token, kind, grantID, expiresAt) VALUES (?, ?, ?, ?)",
            arguments: [token, kind, grant.id, now.advanced(bySeconds: lifetime).milliseconds])
        return token
    }
}
