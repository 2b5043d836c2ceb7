public import CutieAPI

/// A token of a service or of an app at one, sealed: Tokens of the edu-ID data model.
public struct TokenRecord: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// Of the daemon itself, at a service.
        case service
        /// Of one app at a service; its parent is the service's.
        case app
        /// What renews its parent.
        case refresh
    }

    public let id: String
    public let account: AccountID
    /// The person, or the app.
    public let subject: String
    /// The token endpoint that it is of.
    public let target: String
    public let kind: Kind
    /// Opens only in this row as it is.
    public var sealed: [UInt8]
    public let expiresAt: Timestamp?
    /// With spaces between.
    public let scope: String
    public let parent: String?
    public let createdAt: Timestamp
    /// Since when it is over and its service is to hear so; nil: it is in use.
    public internal(set) var revokingSince: Timestamp?

    public init(
        id: String, account: AccountID, subject: String, target: String, kind: Kind, sealed: [UInt8] = [],
        expiresAt: Timestamp?, scope: String, parent: String?, createdAt: Timestamp
    ) {
        (self.id, self.account, self.subject, self.target) = (id, account, subject, target)
        (self.kind, self.sealed, self.expiresAt, self.scope) = (kind, sealed, expiresAt, scope)
        (self.parent, self.createdAt) = (parent, createdAt)
    }
}

/// The tokens, a tree by their parents.
public struct TokenTable {
    let transaction: Transaction

    /// In use, of this kind and subject; the newest.
    public func find(
        _ kind: TokenRecord.Kind, of subject: String, at target: String, account: AccountID
    ) throws -> TokenRecord? {
        try transaction.first(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE account = ? AND target = ? AND type = ?
            AND subject = ? AND revoking_since IS NULL ORDER BY created_at DESC LIMIT 1
            """, [account.stored, target.stored, kind.rawValue.stored, subject.stored],
            TokenRecord.init(_:))
    }

    /// Those in use; `account` nil: of all.
    public func all(of account: AccountID? = nil) throws -> [TokenRecord] {
        try transaction.all(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE (?1 IS NULL OR account = ?1) AND revoking_since IS NULL
            ORDER BY created_at, id
            """, [account?.stored], TokenRecord.init(_:))
    }

    public func children(of id: String) throws -> [TokenRecord] {
        try transaction.all(
            "SELECT \(TokenRecord.columns) FROM tokens WHERE parent = ? AND revoking_since IS NULL ORDER BY id",
            [id.stored], TokenRecord.init(_:))
    }

    /// Those whose service has to hear that they are over. A parent comes after what hangs on it, which would be
    /// forgotten here with it; and not every service ends that with its parent.
    public func revoking() throws -> [TokenRecord] {
        try transaction.all(
            """
            SELECT \(TokenRecord.columns) FROM tokens WHERE revoking_since IS NOT NULL
            ORDER BY CASE type WHEN 'refresh' THEN 0 WHEN 'app' THEN 1 ELSE 2 END, created_at, id
            """, [], TokenRecord.init(_:))
    }

    /// Puts it in the place of the one with its id: what that is the parent of stays.
    @_spi(Access) public func save(_ token: TokenRecord) throws {
        try transaction.run(
            """
            INSERT INTO tokens (id, account, subject, target, type, sealed, expires_at, scope, parent, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed,
            expires_at = excluded.expires_at, scope = excluded.scope, created_at = excluded.created_at
            """,
            [
                token.id.stored, token.account.stored, token.subject.stored, token.target.stored,
                token.kind.rawValue.stored, token.sealed.stored, token.expiresAt?.stored,
                token.scope.stored, token.parent?.stored, token.createdAt.stored,
            ])
    }

    /// Not in use any more, and what it was the parent of. What was below an app or a service counts no more when
    /// the service has heard; a refresh token beside it is to be revoked, too.
    @_spi(Access) public func setRevoking(_ id: String, at time: Timestamp) throws {
        try transaction.run(
            """
            \(Self.tree)
            UPDATE tokens SET revoking_since = ?2 WHERE revoking_since IS NULL AND id IN (SELECT id FROM tree)
            """, [id.stored, time.stored])
    }

    /// With what it is the parent of.
    @_spi(Access) public func remove(_ id: String) throws {
        try transaction.run(
            "\(Self.tree) DELETE FROM tokens WHERE id IN (SELECT id FROM tree)", [id.stored])
    }

    /// A token and all below it.
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
        id = row.text()
        account = row.account()
        subject = row.text()
        target = row.text()
        kind = Kind(rawValue: row.text()) ?? .refresh
        sealed = row.bytes()
        expiresAt = row.optionalTime()
        scope = row.text()
        parent = row.optionalText()
        createdAt = row.time()
        revokingSince = row.optionalTime()
    }
}
