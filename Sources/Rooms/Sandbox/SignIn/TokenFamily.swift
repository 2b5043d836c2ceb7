import CutieAPI
import GRDB

/// Who signed in with which client, and what may be done in his name: what all tokens of a family have in common.
struct SignIn: Sendable {
    let admin: Admin
    let client: String
    let scopes: Set<Scope>
    /// When the password was typed.
    let authenticatedAt: Timestamp
    /// What the client wants to find in the ID token.
    var nonce: String?
}

/// Tokens that were given together.
struct IssuedTokens: Sendable {
    let accessToken: String
    let refreshToken: String?
    let scopes: Set<Scope>
    /// Whom they tell of; nil where a program has them for itself.
    var signIn: SignIn?
}

/// How long tokens live, and how strict the issuer is.
struct TokenRules: Sendable {
    /// Seconds.
    var accessLife = 3600
    let refreshLife = 30 * 86_400
    /// A refresh token is taken again until the answer to it is known to have arrived.
    var hasRefreshGrace = true
}

extension Change {
    /// The first tokens of a program. The service gives it a refresh token, too.
    func issue(to client: Client, _ scopes: Set<Scope>, by rules: TokenRules) throws -> IssuedTokens {
        let place = TokenPlace(family: Secret.make("family_"), clientID: client.id, parent: nil)
        return try issue(place, scopes, refreshing: scopes, by: rules)
    }

    /// The first tokens of a person, in a family of their own, whose id this returns as well.
    func begin(_ signIn: SignIn, by rules: TokenRules) throws -> (IssuedTokens, family: String) {
        let family = Secret.make("family_")
        try database.run(
            sql: "INSERT INTO signIn (id, adminID, clientID, authenticatedAt) VALUES (?, ?, ?, ?)",
            arguments: [family, signIn.admin.id, signIn.client, signIn.authenticatedAt.milliseconds])
        let place = TokenPlace(family: family, clientID: signIn.client, parent: nil)
        let isLasting = signIn.scopes.contains(.offlineAccess)
        var tokens = try issue(
            place, signIn.scopes, refreshing: isLasting ? signIn.scopes : nil, by: rules)
        tokens.signIn = signIn
        return (tokens, family)
    }

    /// New tokens for a refresh token. One whose successors are in use already is known to two: nobody of its
    /// family is believed any more, which stays so although the call is refused.
    func refresh(
        _ token: String, by claim: ClientClaim, narrowedTo wish: String?, _ rules: TokenRules
    ) throws -> Result<IssuedTokens, Refusal> {
        if claim.hasSecret { _ = try claim.client(in: database) }
        let row = try database.row(
            sql: "SELECT * FROM adminToken WHERE token = ? AND kind = 'refresh' AND expiresAt > ?",
            arguments: [token, now.milliseconds])
        guard let row, claim.mayBe(row["clientID"]) else {
            throw Refusal.grant("invalid_grant", "the refresh_token is unknown, expired or another client's")
        }
        let family: String = row["family"]
        if row["isSpent"] {
            try end(family: family)
            return .failure(
                .grant("invalid_grant", "the refresh_token was used before; all that came of it has ended"))
        }
        let words: String? = row["scopes"]
        let scopes = words.flatMap { Set(words: $0) } ?? .all
        let chosen = try scopes.narrowed(to: wish)
        try confirm(pair: row["pair"], of: row["parent"])
        if !rules.hasRefreshGrace { try spend(token) }
        let place = TokenPlace(family: family, clientID: row["clientID"], parent: token)
        var tokens = try issue(place, chosen, refreshing: scopes, by: rules)
        tokens.signIn = try database.signIn(family, scopes: chosen)
        return .success(tokens)
    }

    /// The answer that held this access token has arrived: what it was given for is used up.
    func confirm(accessToken: String) throws {
        let row = try database.row(
            sql: "SELECT pair, parent FROM adminToken WHERE token = ? AND kind = 'access'",
            arguments: [accessToken])
        if let row { try confirm(pair: row["pair"], of: row["parent"]) }
    }

    /// Ends all that came of one sign-in.
    func end(family: String) throws {
        try database.run(sql: "DELETE FROM adminToken WHERE family = ?", arguments: [family])
        try database.run(sql: "DELETE FROM signIn WHERE id = ?", arguments: [family])
        wake(.staff)
    }

    /// Ends a token: a refresh token with its whole family. One that nobody knows has ended already (RFC 7009).
    func revoke(_ token: String, by client: Client) throws {
        let row = try database.row(
            sql: "SELECT kind, family, clientID FROM adminToken WHERE token = ?", arguments: [token])
        guard let row else { return }
        guard row["clientID"] == client.id else {
            throw Refusal.grant("invalid_grant", "the token was given to another client")
        }
        if row["kind"] == "refresh" { return try end(family: row["family"]) }
        try database.run(sql: "DELETE FROM adminToken WHERE token = ?", arguments: [token])
        wake(.staff)
    }

    private func confirm(pair: String, of parent: String?) throws {
        guard let parent, try spend(parent) else { return }
        // Other answers to the same refresh token went to somebody else, or nowhere.
        try database.run(
            sql: "DELETE FROM adminToken WHERE parent = ? AND pair != ? AND kind = 'access'",
            arguments: [parent, pair])
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE parent = ? AND pair != ?",
            arguments: [parent, pair])
    }

    /// Returns false where it was spent already.
    @discardableResult
    private func spend(_ refreshToken: String) throws -> Bool {
        try database.run(
            sql: "UPDATE adminToken SET isSpent = 1 WHERE token = ? AND NOT isSpent",
            arguments: [refreshToken])
        return database.changesCount > 0
    }

    /// `refreshing`: what the refresh token may ask for; without it there is none.
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

/// Where new tokens stand: in which family, in which answer, and for which refresh token that was given.
private struct TokenPlace {
    let family: String
    let clientID: String?
    let parent: String?
    let pair = Secret.make("pair_")
}

extension Database {
    /// Whether nothing of the answer that held this token was used before.
    func isUnconfirmed(accessToken: String) throws -> Bool {
        try row(
            sql: """
                SELECT 1 FROM adminToken AS child JOIN adminToken AS parent ON parent.token = child.parent
                WHERE child.token = ? AND child.kind = 'access' AND child.expiresAt > ? AND NOT parent.isSpent
                """,
            arguments: [accessToken, Timestamp.now.milliseconds]) != nil
    }

    /// Nil where the family is a program's.
    fileprivate func signIn(_ family: String, scopes: Set<Scope>) throws -> SignIn? {
        let row = try row(sql: "SELECT * FROM signIn WHERE id = ?", arguments: [family])
        guard let row, let admin = try admin(id: row["adminID"]) else { return nil }
        return SignIn(
            admin: admin, client: row["clientID"], scopes: scopes,
            authenticatedAt: Timestamp(milliseconds: row["authenticatedAt"]))
    }
}

extension Set<Scope> {
    /// What is asked for of these; all where nothing is. Throws `invalid_scope` where it is more.
    func narrowed(to wish: String?) throws(Refusal) -> Set<Scope> {
        guard let wish else { return self }
        guard let chosen = Set<Scope>(words: wish), !chosen.isEmpty, chosen.isSubset(of: self) else {
            throw .grant("invalid_scope", "the client may have \(words)")
        }
        return chosen
    }
}
