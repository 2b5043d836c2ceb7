import CutieAPI
import GRDB

/// A user's permission for a client, created at sign-in. All tokens from one sign-in form a token family.
struct TokenGrant: Sendable {
    let admin: Admin
    let client: String
    let scopes: Set<Scope>
    /// The time at which the user entered the password.
    let authenticatedAt: Timestamp
    /// The `nonce` of the authorization request, which is copied to the ID token.
    var nonce: String?
}

/// The tokens in one response of the token endpoint.
struct IssuedTokens: Sendable {
    let accessToken: String
    let refreshToken: String?
    let scopes: Set<Scope>
    /// The user's sign-in; `nil` if a program requested the tokens.
    var signIn: TokenGrant?
}

/// The lifetimes of tokens and the policy for reused refresh tokens.
struct TokenRules: Sendable {
    /// The lifetime of an access token, in seconds.
    var accessTokenLifetime = 3600
    let refreshTokenLifetime = 30 * 86_400
    /// Whether a refresh token stays valid until the client uses the new tokens, in case the response is
    /// lost.
    var hasRefreshGrace = true
}

extension SandboxTransaction {
    /// Creates and stores a client's first tokens, including a refresh token, as the hosted service does.
    func issueTokens(to client: TokenClient, scopes: Set<Scope>, rules: TokenRules) throws -> IssuedTokens {
        let place = TokenLineage(
            family: RandomText.makeID(prefix: "family_"), clientID: client.id, parent: nil)
        return try issueTokens(in: place, scopes: scopes, refreshScopes: scopes, rules: rules)
    }

    /// Creates a token family for a sign-in. Returns its first tokens and its ID.
    func createTokenFamily(for signIn: TokenGrant, rules: TokenRules) throws -> (
        IssuedTokens, family: String
    ) {
        let family = RandomText.makeID(prefix: "family_")
        try database.run(
            sql: "INSERT INTO signIn (id, adminID, clientID, authenticatedAt) VALUES (?, ?, ?, ?)",
            arguments: [family, signIn.admin.id, signIn.client, signIn.authenticatedAt.milliseconds])
        let place = TokenLineage(family: family, clientID: signIn.client, parent: nil)
        let isPersistent = signIn.scopes.contains(.offlineAccess)
        var tokens = try issueTokens(
            in: place, scopes: signIn.scopes, refreshScopes: isPersistent ? signIn.scopes : nil, rules: rules)
        tokens.signIn = signIn
        return (tokens, family)
    }

    /// Exchanges a refresh token for new tokens. An already exchanged ("spent") token may have been stolen,
    /// so its use revokes the token family. The error is then returned in a `Result`, because a thrown error
    /// would roll back the revocation.
    func exchangeRefreshToken(
        _ token: String, by credentials: ClientCredentials, narrowedTo requestedScope: String?,
        rules: TokenRules
    ) throws -> Result<IssuedTokens, Refusal> {
        if credentials.hasSecret { _ = try credentials.authenticateClient(in: database) }
        let row = try database.fetchRow(
            sql: "SELECT * FROM adminToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let row, credentials.mayUseToken(issuedTo: row["clientID"]) else {
            throw Refusal.oauthError(
                "invalid_grant", "the refresh_token is unknown, expired or belongs to another client")
        }
        let family: String = row["family"]
        if row["isSpent"] {
            try revokeFamily(family)
            return .failure(
                .oauthError(
                    "invalid_grant",
                    "the refresh_token was already used; all tokens derived from it were revoked"))
        }
        let words: String? = row["scopes"]
        let scopes = words.flatMap { Set(scopeList: $0) } ?? .all
        let chosen = try scopes.narrowed(to: requestedScope)
        try confirmReceipt(ofPair: row["pair"], parent: row["parent"])
        if !rules.hasRefreshGrace { try markSpent(token) }
        let place = TokenLineage(family: family, clientID: row["clientID"], parent: token)
        var tokens = try issueTokens(in: place, scopes: chosen, refreshScopes: scopes, rules: rules)
        tokens.signIn = try database.findSignIn(ofFamily: family, scopes: chosen)
        return .success(tokens)
    }

    /// Marks the parent refresh token of an access token as spent. Called when the client uses the access
    /// token, which shows that the client received the response.
    func confirmReceipt(ofAccessToken accessToken: String) throws {
        let row = try database.fetchRow(
            sql: "SELECT pair, parent FROM adminToken WHERE token = ? AND kind = 'access'",
            arguments: [accessToken])
        if let row { try confirmReceipt(ofPair: row["pair"], parent: row["parent"]) }
    }

    /// Revokes all tokens of a family.
    func revokeFamily(_ family: String) throws {
        try database.run(sql: "DELETE FROM adminToken WHERE family = ?", arguments: [family])
        try database.run(sql: "DELETE FROM signIn WHERE id = ?", arguments: [family])
        wakeReaders(of: .staff)
    }

    /// Revokes a token; for a refresh token, the whole family. Succeeds even if the token is unknown (RFC
    /// 7009).
    func revoke(_ token: String, by client: TokenClient) throws {
        let row = try database.fetchRow(
            sql: "SELECT kind, family, clientID FROM adminToken WHERE token = ?", arguments: [token])
        guard let row else { return }
        guard row["clientID"] == client.id else {
            throw Refusal.oauthError("invalid_grant", "the token was issued to another client")
        }
        if row["kind"] == "refresh" { return try revokeFamily(row["family"]) }
        try database.run(sql: "DELETE FROM adminToken WHERE token = ?", arguments: [token])
        wakeReaders(of: .staff)
    }

    private func confirmReceipt(ofPair pair: String, parent: String?) throws {
        guard let parent, try markSpent(parent) else { return }
        // Revoke the other access tokens that were issued for the same refresh token: their responses were
        // lost, or were received by an attacker.
        try database.run(
            sql: "DELETE FROM adminToken WHERE parent = ? AND pair != ? AND kind = 'access'",
            arguments: [parent, pair])
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE parent = ? AND pair != ?",
            arguments: [parent, pair])
    }

    /// Marks a refresh token as spent. Returns `false` if the token was already spent.
    @discardableResult
    private func markSpent(_ refreshToken: String) throws -> Bool {
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE token = ? AND NOT isSpent",
            arguments: [refreshToken])
        return database.changesCount > 0
    }

    /// Creates and stores new tokens.
    ///
    /// - Parameter refreshScopes: the scopes of the refresh token; `nil` to create no refresh token.
    private func issueTokens(
        in lineage: TokenLineage, scopes: Set<Scope>, refreshScopes: Set<Scope>?, rules: TokenRules
    ) throws -> IssuedTokens {
        try database.run(
            sql: "DELETE FROM adminToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        return IssuedTokens(
            accessToken: try createToken(
                ofKind: "access", in: lineage, scopes: scopes, lifetime: rules.accessTokenLifetime),
            refreshToken: try refreshScopes.map {
                try createToken(
                    ofKind: "refresh", in: lineage, scopes: $0, lifetime: rules.refreshTokenLifetime)
            },
            scopes: scopes)
    }

    /// Generates a token, stores it and returns it.
    private func createToken(
        ofKind kind: String, in lineage: TokenLineage, scopes: Set<Scope>, lifetime: Int
    ) throws -> String {
        let token = RandomText.makeID(prefix: kind == "access" ? "cutie_at_" : "cutie_rt_")
        try database.run(
            sql: """
                INSERT INTO adminToken (token, kind, expiresAt, clientID, scopes, family, pair, parent)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token, kind, now.advanced(bySeconds: lifetime).milliseconds, lineage.clientID,
                scopes.scopeList,
                lineage.family, lineage.pair, lineage.parent,
            ])
        return token
    }
}

/// The relations of new tokens: their family, their client, their response (`pair`) and the refresh token
/// that was exchanged for them (`parent`).
private struct TokenLineage {
    let family: String
    let clientID: String?
    let parent: String?
    let pair = RandomText.makeID(prefix: "pair_")
}

extension Database {
    /// Returns whether the token is valid and was issued for a refresh token that is not yet marked as spent.
    func isReceiptUnconfirmed(ofAccessToken accessToken: String) throws -> Bool {
        try fetchRow(
            sql: """
                SELECT 1 FROM adminToken AS child JOIN adminToken AS parent ON parent.token = child.parent
                WHERE child.token = ? AND child.kind = 'access' AND child.expiresAt > ? AND NOT parent.isSpent
                """,
            arguments: [accessToken, Timestamp.now.milliseconds]) != nil
    }

    /// Returns the sign-in of a token family; `nil` if the family belongs to a client without a user.
    fileprivate func findSignIn(ofFamily family: String, scopes: Set<Scope>) throws -> TokenGrant? {
        let row = try fetchRow(sql: "SELECT * FROM signIn WHERE id = ?", arguments: [family])
        guard let row, let admin = try findAdmin(id: row["adminID"]) else { return nil }
        return TokenGrant(
            admin: admin, client: row["clientID"], scopes: scopes,
            authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
    }
}

extension Set<Scope> {
    /// Returns the requested subset of these scopes; all scopes if `requestedScope` is `nil`.
    ///
    /// - Throws: `Refusal` (`invalid_scope`) if the request contains other scopes.
    func narrowed(to requestedScope: String?) throws(Refusal) -> Set<Scope> {
        guard let requestedScope else { return self }
        guard let chosen = Set<Scope>(scopeList: requestedScope), !chosen.isEmpty, chosen.isSubset(of: self)
        else {
            throw .oauthError("invalid_scope", "the client is allowed \(scopeList)")
        }
        return chosen
    }
}
