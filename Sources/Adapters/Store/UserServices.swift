public import CutieAPI

/// A service that the user of an account can use (`UserServices` in the edu-ID data model).
public struct UserServiceRecord: Hashable, Sendable {
    public let account: AccountID
    /// The URL of the service (the `engineLink` of its RSD2 document).
    public let link: String
    public let name: String
    /// The RSD2 document as received. The document is parsed again whenever it is needed.
    public let document: [UInt8]
    /// The URL of the token endpoint.
    public let tokenTarget: String
    /// The URL of the RSD2 document; `nil` if an index returned the document.
    public let source: String?
    public let etag: String?
    public let fetchedAt: Timestamp
    /// The time for which the document may be cached, in seconds.
    public let freshness: Int
    /// The time at which an app last received a token for the service; `nil` if no app did.
    public let usedAt: Timestamp?
    /// Whether the daemon has a token for the service.
    public let isAuthorized: Bool

    public init(
        account: AccountID, link: String, name: String, document: [UInt8], tokenTarget: String,
        source: String?, etag: String?, fetchedAt: Timestamp, freshness: Int, usedAt: Timestamp? = nil,
        isAuthorized: Bool = false
    ) {
        (self.account, self.link, self.name, self.document) = (account, link, name, document)
        (self.tokenTarget, self.source, self.etag) = (tokenTarget, source, etag)
        (self.fetchedAt, self.freshness) = (fetchedAt, freshness)
        (self.usedAt, self.isAuthorized) = (usedAt, isAuthorized)
    }
}

/// The table of known services and the table of their protocols.
public struct UserServiceTable {
    let transaction: Transaction

    /// Returns the services, sorted by last use (newest first) and then by name.
    ///
    /// - Parameter account: the account; `nil` for all accounts.
    public func fetchAll(of account: AccountID? = nil) throws -> [UserServiceRecord] {
        try transaction.fetchAll(
            Self.selection + " WHERE ?1 IS NULL OR s.account = ?1 ORDER BY s.used_at DESC, s.name, s.baseurl",
            [account?.stored], UserServiceRecord.init(_:))
    }

    public func find(_ link: String, of account: AccountID) throws -> UserServiceRecord? {
        try transaction.fetchOne(
            Self.selection + " WHERE s.account = ? AND s.baseurl = ?", [account.stored, link.stored],
            UserServiceRecord.init(_:))
    }

    /// Inserts or replaces a service. Preserves the time of its last use, and the stored source if the new
    /// source is `nil`.
    @_spi(Access) public func save(_ service: UserServiceRecord, protocols: [String]) throws {
        try transaction.run(
            """
            INSERT INTO user_services (account, baseurl, name, rsd, token_target, source, etag,
            fetched_at, fresh_for) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, baseurl) DO UPDATE SET name = excluded.name,
            rsd = excluded.rsd, token_target = excluded.token_target,
            source = COALESCE(excluded.source, source), etag = excluded.etag,
            fetched_at = excluded.fetched_at, fresh_for = excluded.fresh_for
            """,
            [
                service.account.stored, service.link.stored, service.name.stored, service.document.stored,
                service.tokenTarget.stored, service.source?.stored, service.etag?.stored,
                service.fetchedAt.stored, service.freshness.stored,
            ])
        try removeProtocols(of: service.link, account: service.account)
        for name in Set(protocols) {
            try transaction.run(
                "INSERT INTO protocols (account, baseurl, protocol_id) VALUES (?, ?, ?)",
                [service.account.stored, service.link.stored, name.stored])
        }
    }

    /// Stores the time at which an app received a token for the service.
    @_spi(Access) public func recordUse(of link: String, account: AccountID, at time: Timestamp) throws {
        try transaction.run(
            "UPDATE user_services SET used_at = ? WHERE account = ? AND baseurl = ?",
            [time.stored, account.stored, link.stored])
    }

    /// Removes a service and its protocols.
    @_spi(Access) public func remove(_ link: String, of account: AccountID) throws {
        try removeProtocols(of: link, account: account)
        try transaction.run(
            "DELETE FROM user_services WHERE account = ? AND baseurl = ?", [account.stored, link.stored])
    }

    private func removeProtocols(of link: String, account: AccountID) throws {
        try transaction.run(
            "DELETE FROM protocols WHERE account = ? AND baseurl = ?", [account.stored, link.stored])
    }

    private static let selection = """
        SELECT s.account, s.baseurl, s.name, s.rsd, s.token_target, s.source, s.etag, s.fetched_at, s.fresh_for, s.used_at,
        EXISTS (SELECT 1 FROM user_service_tokens AS t WHERE t.account = s.account AND t.baseurl = s.baseurl)
        FROM user_services AS s
        """
}

extension UserServiceRecord {
    fileprivate init(_ row: inout ColumnReader) {
        account = row.readAccountID()
        link = row.readText()
        name = row.readText()
        document = row.readBytes()
        tokenTarget = row.readText()
        source = row.readOptionalText()
        etag = row.readOptionalText()
        fetchedAt = row.readTime()
        freshness = row.readInt()
        usedAt = row.readOptionalTime()
        isAuthorized = row.readFlag()
    }
}
