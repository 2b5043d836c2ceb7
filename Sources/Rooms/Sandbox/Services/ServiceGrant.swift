import CutieAPI
import GRDB

/// What a service lets somebody do: a person's client, which has registered a key, or one app that hangs from it.
struct ServiceGrant: Sendable {
    let id: String
    /// nil of a person's client.
    let parent: String?
    let clientID: String
    /// The person, as the issuer names them.
    let subject: String
    /// nil of a person's client.
    let appID: String?
    let key: WebKey
    /// Of an app what it may do; of a client what its apps may.
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

    /// Of a person's client.
    static func client(_ assertion: SignedAssertion, key: WebKey, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: Secret.make("grant_"), parent: nil, clientID: assertion.claims.client ?? "",
            subject: assertion.claims.subject, appID: nil, key: key, scopes: scopes)
    }

    /// Of an app under this one.
    func app(_ id: String, scopes: Set<String>) -> Self {
        ServiceGrant(
            id: Secret.make("grant_"), parent: self.id, clientID: clientID, subject: subject, appID: id,
            key: key, scopes: scopes)
    }

    var words: String { scopes.sorted().joined(separator: " ") }
}

extension SignedAssertion.Claims {
    /// For whom the issuer made it.
    var client: String? { clientID ?? authorizedParty }
}

/// Tokens of one grant.
struct ServiceTokenPair: Sendable {
    let accessToken: String
    let refreshToken: String
    let grant: ServiceGrant
}

extension Database {
    /// What an access token stands for, and until when; nil where it is unknown, expired or revoked.
    func serviceGrant(_ accessToken: String) throws -> (ServiceGrant, expiresAt: Timestamp)? {
        let row = try row(
            sql: """
                SELECT serviceGrant.*, expiresAt FROM serviceToken JOIN serviceGrant ON id = grantID
                WHERE token = ? AND kind = 'access' AND expiresAt > ?
                """,
            arguments: [accessToken, Timestamp.now.milliseconds])
        return row.map { (ServiceGrant($0), Timestamp(milliseconds: $0["expiresAt"])) }
    }

    /// What a token of whatever kind belongs to, also one that has expired.
    fileprivate func owner(of token: String) throws -> ServiceGrant? {
        let row = try row(
            sql: """
                SELECT serviceGrant.* FROM serviceToken JOIN serviceGrant ON id = grantID WHERE token = ?
                """,
            arguments: [token])
        return row.map { ServiceGrant($0) }
    }
}

extension Change {
    /// Throws `invalid_grant` where the assertion was used before.
    func use(_ assertion: SignedAssertion) throws {
        try database.run(
            sql: "DELETE FROM usedAssertion WHERE expiresAt <= ?", arguments: [now.milliseconds])
        try database.run(
            sql: "INSERT OR IGNORE INTO usedAssertion (issuer, id, expiresAt) VALUES (?, ?, ?)",
            arguments: [
                assertion.claims.issuer, assertion.claims.id, Int64(assertion.claims.expiry * 1000) + 1,
            ])
        guard database.changesCount > 0 else { throw SignedAssertion.refused("was used before") }
    }

    /// The first tokens of a grant. Throws 401 where the grant above was revoked meanwhile.
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

    /// Others for a refresh token, which is good once: with its second use the grant ends, and stays so although
    /// the call is refused. nil where nobody here knows it.
    func refresh(
        serviceToken token: String, by clientID: String?, life: Int
    ) throws -> Result<ServiceTokenPair, Refusal>? {
        guard let grant = try database.owner(of: token) else { return nil }
        let state = try database.row(
            sql: "SELECT isSpent FROM serviceToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let state, grant.clientID == clientID else {
            throw Refusal.grant("invalid_grant", "the refresh_token is expired, another client's, or none")
        }
        if state["isSpent"] {
            try end(grant)
            return .failure(
                .grant("invalid_grant", "the refresh_token was used before; all that came of it has ended"))
        }
        try database.run(sql: "UPDATE serviceToken SET isSpent = 1 WHERE token = ?", arguments: [token])
        return .success(try issue(grant, life: life))
    }

    /// Ends what the token belongs to, with all below it. Returns false where nobody here knows it.
    func revoke(serviceToken token: String, by clientID: String?) throws -> Bool {
        guard let grant = try database.owner(of: token) else { return false }
        guard grant.clientID == clientID else {
            throw Refusal.grant("invalid_grant", "the token was given to another client")
        }
        try end(grant)
        return true
    }

    /// Ends all that was given for a person.
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
        // Open streams of its apps end.
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
