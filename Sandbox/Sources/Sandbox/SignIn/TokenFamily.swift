import CutieAPI
import GRDB

/// The sign-in of a user with a client. All tokens of a family belong to the same sign-in.
struct TokenGrant: Sendable {
    let admin: Admin
    let client: String
    let scopes: Set<Scope>
    /// The time at which the user entered the password.
    let authenticatedAt: Timestamp
    /// A value from the client that is copied to the ID token.
    var nonce: String?
}

/// The tokens of one response.
struct IssuedTokens: Sendable {
    let accessToken: String
    let refreshToken: String?
    let scopes: Set<Scope>
    /// The sign-in of the user; `nil` for tokens of a program.
    var signIn: TokenGrant?
}

/// The lifetime of tokens and the rule for refresh tokens.
struct TokenRules: Sendable {
    /// The lifetime of an access token in seconds.
    var accessLife = 3600
    let refreshLife = 30 * 86_400
    /// Whether an old refresh token stays valid until the client uses one of the new tokens.
    var hasRefreshGrace = true
}

extension SandboxTransaction {
    /// Returns the first tokens of a program. The tokens include a refresh token, as on the hosted service.
    func issue(to client: TokenClient, _ scopes: Set<Scope>, by rules: TokenRules) throws -> IssuedTokens {
        let place = TokenPlace(family: Secret.make("family_"), clientID: client.id, parent: nil)
        return try issue(place, scopes, refreshing: scopes, by: rules)
    }

    /// Returns the first tokens of a user and the ID of their new family.
    func begin(_ signIn: TokenGrant, by rules: TokenRules) throws -> (IssuedTokens, family: String) {
        let family = Secret.make("family_")
        try database.run(
            sql: "INSERT INTO signIn (id, adminID, clientID, authenticatedAt) VALUES (?, ?, ?, ?)",
            arguments: [family, signIn.admin.id, signIn.client, signIn.authenticatedAt.milliseconds])
        let place = TokenPlace(family: family, clientID: signIn.client, parent: nil)
        let isPersistent = signIn.scopes.contains(.offlineAccess)
        var tokens = try issue(
            place, signIn.scopes, refreshing: isPersistent ? signIn.scopes : nil, by: rules)
        tokens.signIn = signIn
        return (tokens, family)
    }

    /// Returns new tokens for a refresh token. If the token is already spent, an attacker may have the token,
    /// so all tokens of its family are revoked. The refusal is returned as a `Result`, because an error would
    /// roll back the transaction.
    func refresh(
        _ token: String, by claim: ClientCredentials, narrowedTo wish: String?, _ rules: TokenRules
    ) throws -> Result<IssuedTokens, Refusal> {
        if claim.hasSecret { _ = try claim.client(in: database) }
        let row = try database.row(
            sql: "SELECT * FROM adminToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let row, claim.mayMatch(row["clientID"]) else {
            throw Refusal.grant(
                "invalid_grant", "the refresh_token is unknown, expired or belongs to another client")
        }
        let family: String = row["family"]
        if row["isSpent"] {
            try end(family: family)
            return .failure(
                .grant(
                    "invalid_grant",
                    "the refresh_token was already used; all tokens derived from it were revoked"))
        }
        let words: String? = row["scopes"]
        let scopes = words.flatMap { Set(words: $0) } ?? .all
        let chosen = try scopes.narrowed(to: wish)
        try confirm(pair: row["pair"], of: row["parent"])
        if !rules.hasRefreshGrace { try markSpent(token) }
        let place = TokenPlace(family: family, clientID: row["clientID"], parent: token)
        var tokens = try issue(place, chosen, refreshing: scopes, by: rules)
        tokens.signIn = try database.signIn(family, scopes: chosen)
        return .success(tokens)
    }

    /// Marks the parent refresh token as spent: by using this access token, the client shows that it received
    /// the response.
    func confirm(accessToken: String) throws {
        let row = try database.row(
            sql: "SELECT pair, parent FROM adminToken WHERE token = ? AND kind = 'access'",
            arguments: [accessToken])
        if let row { try confirm(pair: row["pair"], of: row["parent"]) }
    }

    /// Ends all tokens of a sign-in.
    func end(family: String) throws {
        try database.run(sql: "DELETE FROM adminToken WHERE family = ?", arguments: [family])
        try database.run(sql: "DELETE FROM signIn WHERE id = ?", arguments: [family])
        wake(.staff)
    }

    /// Revokes a token. A refresh token ends its whole family. Also succeeds if the token is unknown (RFC
    /// 7009).
    func revoke(_ token: String, by client: TokenClient) throws {
        let row = try database.row(
            sql: "SELECT kind, family, clientID FROM adminToken WHERE token = ?", arguments: [token])
        guard let row else { return }
        guard row["clientID"] == client.id else {
            throw Refusal.grant("invalid_grant", "the token was issued to another client")
        }
        if row["kind"] == "refresh" { return try end(family: row["family"]) }
        try database.run(sql: "DELETE FROM adminToken WHERE token = ?", arguments: [token])
        wake(.staff)
    }

    private func confirm(pair: String, of parent: String?) throws {
        guard let parent, try markSpent(parent) else { return }
        // Other responses to the same refresh token were lost or went to an attacker.
        try database.run(
            sql: "DELETE FROM adminToken WHERE parent = ? AND pair != ? AND kind = 'access'",
            arguments: [parent, pair])
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE parent = ? AND pair != ?",
            arguments: [parent, pair])
    }

    /// Marks a refresh token as spent. Returns `false` if it was already spent.
    @discardableResult
    private func markSpent(_ refreshToken: String) throws -> Bool {
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE token = ? AND NOT isSpent",
            arguments: [refreshToken])
        return database.changesCount > 0
    }

    /// Stores new tokens.
    ///
    /// - Parameter refreshing: the scopes of the refresh token; `nil` for no refresh token.
    private func issue(
        _ place: TokenPlace, _ scopes: Set<Scope>, refreshing: Set<Scope>?, by rules: TokenRules
    ) throws -> IssuedTokens {
        try database.run(
            sql: "DELETE FROM adminToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        return IssuedTokens(
            accessToken: try store("access", at: place, scopes, life: rules.accessLife),
            refreshToken: try refreshing.map {
                try store("refresh", at: place, $0, life: rules.refreshLife)
            },
            scopes: scopes)
    }

    private func store(
        _ kind: String, at place: TokenPlace, _ scopes: Set<Scope>, life: Int
    ) throws -> String {
        let token = Secret.make(kind == "access" ? "cutie_at_" : "cutie_rt_")
        try database.run(
            sql: """
                INSERT INTO adminToken (token, kind, expiresAt, clientID, scopes, family, pair, parent)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token, kind, now.advanced(bySeconds: life).milliseconds, place.clientID, scopes.words,
                place.family, place.pair, place.parent,
            ])
        return token
    }
}

/// The position of new tokens: their family, their response (`pair`) and the refresh token they were issued
/// for (`parent`).
private struct TokenPlace {
    let family: String
    let clientID: String?
    let parent: String?
    let pair = Secret.make("pair_")
}

extension Database {
    /// Returns whether no token from the same response has been used yet.
    func isUnconfirmed(accessToken: String) throws -> Bool {
        try row(
            sql: """
                SELECT 1 FROM adminToken AS child JOIN adminToken AS parent ON parent.token = child.parent
                WHERE child.token = ? AND child.kind = 'access' AND child.expiresAt > ? AND NOT parent.isSpent
                """,
            arguments: [accessToken, Timestamp.now.milliseconds]) != nil
    }

    /// Returns the sign-in of a family; `nil` if the family belongs to a program.
    fileprivate func signIn(_ family: String, scopes: Set<Scope>) throws -> TokenGrant? {
        let row = try row(sql: "SELECT * FROM signIn WHERE id = ?", arguments: [family])
        guard let row, let admin = try admin(id: row["adminID"]) else { return nil }
        return TokenGrant(
            admin: admin, client: row["clientID"], scopes: scopes,
            authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
    }
}

extension Set<Scope> {
    /// Returns the requested subset of these scopes; all of them if the request has none.
    ///
    /// - Throws: `Refusal` (`invalid_scope`) if the request contains other scopes.
    func narrowed(to wish: String?) throws(Refusal) -> Set<Scope> {
        guard let wish else { return self }
        guard let chosen = Set<Scope>(words: wish), !chosen.isEmpty, chosen.isSubset(of: self) else {
            throw .grant("invalid_scope", "the client is allowed \(words)")
        }
        return chosen
    }
}
