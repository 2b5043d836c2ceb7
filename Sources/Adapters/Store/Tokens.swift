public import CutieAPI

/// An encrypted token of the daemon or of an app for a service (`Tokens` in the edu-ID data model).
public struct TokenRecord: Hashable, Sendable {
    /// The type of a token.
    public enum Kind: String, Sendable {
        /// An access token of the daemon for a service.
        case service
        /// An access token of an app for a service. Its parent is the daemon's access token for that service.
        case app
        /// A refresh token. Its parent is the access token that it refreshes.
        case refresh
    }

    public let id: String
    public let account: AccountID
    /// The ID of the user or the app that the token belongs to.
    public let subject: String
    /// The URL of the token endpoint that issued the token.
    public let target: String
    public let kind: Kind
    /// The encrypted token. Decryption fails if another column of the row was modified, because the columns
    /// are authenticated, too.
    public var encryptedToken: [UInt8]
    public let expiresAt: Timestamp?
    /// The scopes of the token, separated by spaces.
    public let scope: String
    public let parent: String?
    public let createdAt: Timestamp
    /// The time at which the token was marked for revocation; `nil` if it is not marked.
    public internal(set) var markedForRevocationAt: Timestamp?

    public init(
        id: String, account: AccountID, subject: String, target: String, kind: Kind,
        encryptedToken: [UInt8] = [],
        expiresAt: Timestamp?, scope: String, parent: String?, createdAt: Timestamp
    ) {
        (self.id, self.account, self.subject, self.target) = (id, account, subject, target)
        (self.kind, self.encryptedToken, self.expiresAt, self.scope) = (
            kind, encryptedToken, expiresAt, scope
        )
        (self.parent, self.createdAt) = (parent, createdAt)
    }
}

/// The table of tokens. Each token may have a parent, so the tokens form trees.
public struct TokenTable {
    let transaction: Transaction

    /// Returns the newest token with these values; `nil` if there is no such token. Ignores tokens that are
    /// marked for revocation.
    public func find(
        _ kind: TokenRecord.Kind, ofSubject subject: String, issuedBy target: String, account: AccountID
    ) throws -> TokenRecord? {
        try transaction.fetchOne(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE account = ? AND target = ? AND type = ?
            AND subject = ? AND revoking_since IS NULL ORDER BY created_at DESC LIMIT 1
            """, [account.stored, target.stored, kind.rawValue.stored, subject.stored],
            TokenRecord.init(_:))
    }

    /// Returns all tokens that are not marked for revocation.
    ///
    /// - Parameter account: the account; `nil` for all accounts.
    public func fetchActive(of account: AccountID? = nil) throws -> [TokenRecord] {
        try transaction.fetchAll(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE (?1 IS NULL OR account = ?1) AND revoking_since IS NULL
            ORDER BY created_at, id
            """, [account?.stored], TokenRecord.init(_:))
    }

    /// Returns the children of the token `id` that are not marked for revocation.
    public func fetchChildren(of id: String) throws -> [TokenRecord] {
        try transaction.fetchAll(
            "SELECT \(TokenRecord.columns) FROM tokens WHERE parent = ? AND revoking_since IS NULL ORDER BY id",
            [id.stored], TokenRecord.init(_:))
    }

    /// Returns the tokens that are marked for revocation, children before their parent: not every service
    /// revokes children together with their parent, and removing the parent also deletes the rows of its
    /// children.
    public func fetchTokensToRevoke() throws -> [TokenRecord] {
        try transaction.fetchAll(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE revoking_since IS NOT NULL
            ORDER BY CASE type WHEN 'refresh' THEN 0 WHEN 'app' THEN 1 ELSE 2 END, created_at, id
            """, [], TokenRecord.init(_:))
    }

    /// Inserts or updates a token. An update keeps the children of the token.
    @_spi(Access) public func save(_ token: TokenRecord) throws {
        try transaction.run(
            """
            INSERT INTO tokens (id, account, subject, target, type, sealed, expires_at, scope, parent, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed,
            expires_at = excluded.expires_at, scope = excluded.scope, created_at = excluded.created_at
            """,
            [
                token.id.stored, token.account.stored, token.subject.stored, token.target.stored,
                token.kind.rawValue.stored, token.encryptedToken.stored, token.expiresAt?.stored,
                token.scope.stored, token.parent?.stored, token.createdAt.stored,
            ])
    }

    /// Marks a token and all its descendants (including refresh tokens) for revocation.
    @_spi(Access) public func markForRevocation(_ id: String, at time: Timestamp) throws {
        try transaction.run(
            """
            \(Self.tree)
            UPDATE tokens SET revoking_since = ?2 WHERE revoking_since IS NULL AND id IN (SELECT id FROM tree)
            """, [id.stored, time.stored])
    }

    /// Removes a token and all its descendants.
    @_spi(Access) public func remove(_ id: String) throws {
        try transaction.run(
            "\(Self.tree) DELETE FROM tokens WHERE id IN (SELECT id FROM tree)", [id.stored])
    }

    /// The SQL clause that selects a token and all its descendants.
    private static let tree = """
        WITH RECURSIVE tree (id) AS (SELECT ?1 UNION
            SELECT t.id FROM tokens AS t JOIN tree ON t.parent = tree.id)
        """
}

extension TokenRecord {
    fileprivate static let columns = """
        id, account, subject, target, type, sealed, expires_at, scope, parent, created_at, revoking_since
        """

    fileprivate init(_ row: inout ColumnReader) {
        id = row.readText()
        account = row.readAccountID()
        subject = row.readText()
        target = row.readText()
        kind = Kind(rawValue: row.readText()) ?? .refresh
        encryptedToken = row.readBytes()
        expiresAt = row.readOptionalTime()
        scope = row.readText()
        parent = row.readOptionalText()
        createdAt = row.readTime()
        markedForRevocationAt = row.readOptionalTime()
    }
}
