import CutieAPI
import GRDB

/// A grant of a service: either for a client that registered a key for a user, or for an app of that client.
struct ServiceGrant: Sendable {
    let id: String
    /// The grant of the client that an app belongs to; `nil` for a client.
    let parent: String?
    let clientID: String
    /// The ID of the user at the issuer.
    let subject: String
    /// The ID of the app; `nil` for the grant of a client.
    let appID: String?
    let key: WebKey
    /// The scopes of the app. For a client: the scopes that its apps can have.
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

    /// Returns the grant for a client that registered `key` for a user.
    static func client(_ assertion: SignedAssertion, key: WebKey, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: Secret.make("grant_"), parent: nil, clientID: assertion.claims.client ?? "",
            subject: assertion.claims.subject, appID: nil, key: key, scopes: scopes)
    }

    /// Returns the grant for an app of this client.
    func app(_ id: String, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: Secret.make("grant_"), parent: self.id, clientID: clientID, subject: subject, appID: id,
            key: key, scopes: scopes)
    }

    var words: String { scopes.sorted().joined(separator: " ") }
}

extension SignedAssertion.Claims {
    /// The client for which the issuer created the assertion.
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
    func serviceGrant(_ accessToken: String) throws -> (ServiceGrant, expiresAt: Timestamp)? {
        let row = try row(
            sql: """
                SELECT serviceGrant.*, expiresAt FROM serviceToken JOIN serviceGrant ON id = grantID
                WHERE token = ? AND kind = 'access' AND expiresAt > ?
                """,
            arguments: [accessToken, Timestamp.now.milliseconds])
        return row.map { (ServiceGrant($0), Timestamp(milliseconds: $0["expiresAt"])) }
    }

    /// Returns the grant of an access or refresh token, even if the token has expired.
    fileprivate func owner(of token: String) throws -> ServiceGrant? {
        let row = try row(
            sql: """
                SELECT serviceGrant.* FROM serviceToken JOIN serviceGrant ON id = grantID WHERE token = ?
                """,
            arguments: [token])
        return row.map { ServiceGrant($0) }
    }
}

extension SandboxTransaction {
    /// Marks an assertion as used.
    ///
    /// - Throws: `Refusal` (`invalid_grant`) if the assertion was used before.
    func use(_ assertion: SignedAssertion) throws {
        try database.run(
            sql: "DELETE FROM usedAssertion WHERE expiresAt <= ?", arguments: [now.milliseconds])
        try database.run(
            sql: "INSERT OR IGNORE INTO usedAssertion (issuer, id, expiresAt) VALUES (?, ?, ?)",
            arguments: [
                assertion.claims.issuer, assertion.claims.id, Int64(assertion.claims.expiry * 1000) + 1,
            ])
        guard database.changesCount > 0 else { throw SignedAssertion.refused("was already used") }
    }

    /// Stores a grant. Returns its first tokens.
    ///
    /// - Throws: `Refusal` (401) if the parent grant was revoked meanwhile.
    func begin(_ grant: ServiceGrant, life: Int) throws -> ServiceTokenPair {
        if let parent = grant.parent {
            let row = try database.row(sql: "SELECT 1 FROM serviceGrant WHERE id = ?", arguments: [parent])
            guard row != nil else { throw Refusal.badToken("the service token was revoked") }
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
                grant.words,
            ])
        return try issue(grant, life: life)
    }

    /// Returns new tokens for a refresh token; `nil` if the token is unknown. A refresh token can be used
    /// once; a second use ends the grant. This refusal is returned as a `Result`, because an error would roll
    /// back the transaction.
    func refresh(
        serviceToken token: String, by clientID: String?, life: Int
    ) throws -> Result<ServiceTokenPair, Refusal>? {
        guard let grant = try database.owner(of: token) else { return nil }
        let state = try database.row(
            sql: "SELECT isSpent FROM serviceToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let state, grant.clientID == clientID else {
            throw Refusal.grant(
                "invalid_grant", "the refresh_token is expired, missing, or belongs to another client")
        }
        if state["isSpent"] {
            try end(grant)
            return .failure(
                .grant(
                    "invalid_grant",
                    "the refresh_token was already used; all tokens derived from it were revoked"))
        }
        try database.run(sql: "UPDATE serviceToken SET isSpent = 1 WHERE token = ?", arguments: [token])
        return .success(try issue(grant, life: life))
    }

    /// Ends the grant of a token and all grants that depend on it. Returns `false` if the token is unknown.
    func revoke(serviceToken token: String, by clientID: String?) throws -> Bool {
        guard let grant = try database.owner(of: token) else { return false }
        guard grant.clientID == clientID else {
            throw Refusal.grant("invalid_grant", "the token was issued to another client")
        }
        try end(grant)
        return true
    }

    /// Ends all grants for a user.
    func endServiceGrants(of subject: String) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM serviceGrant WHERE subject = ?", arguments: [subject])
        for row in rows { try end(ServiceGrant(row)) }
    }

    private func end(_ grant: ServiceGrant) throws {
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
        // Ends the open streams of the apps.
        wake(.staff)
    }

    private func issue(_ grant: ServiceGrant, life: Int) throws -> ServiceTokenPair {
        ServiceTokenPair(
            accessToken: try store("access", of: grant, life: life),
            refreshToken: try store("refresh", of: grant, life: TokenRules().refreshLife), grant: grant)
    }

    private func store(_ kind: String, of grant: ServiceGrant, life: Int) throws -> String {
        let token = Secret.make(kind == "access" ? "cutie_st_" : "cutie_sr_")
        try database.run(
            sql: "INSERT INTO serviceToken (token, kind, grantID, expiresAt) VALUES (?, ?, ?, ?)",
            arguments: [token, kind, grant.id, now.advanced(bySeconds: life).milliseconds])
        return token
    }
}
