public import CutieAPI

/// A request from an app for access to services, and the user's decision.
public struct GrantRecord: Hashable, Sendable {
    /// The state of a request. The app has access only in the state `granted`.
    public enum State: String, Sendable {
        /// The user has not decided yet.
        case asked
        case granted, refused, expired, revoked
    }

    /// An app: the App ID that the app claims, and the identity that the system reports.
    public struct App: Hashable, Sendable {
        /// The App ID that the app claims and sends to services.
        public let id: String
        public let clientID: String
        public let name: String
        /// The unique identity that the system reports for the app.
        public let identity: String
        public let isVerified: Bool

        public init(id: String, clientID: String, name: String, identity: String, isVerified: Bool) {
            (self.id, self.clientID, self.name) = (id, clientID, name)
            (self.identity, self.isVerified) = (identity, isVerified)
        }
    }

    /// A service to which the user allows access.
    public struct Service: Hashable, Sendable, Codable {
        private let number: Int64
        public let link: String
        public let name: String
        /// The ID of the user at the issuer; `nil` in rows from earlier versions. Services without this ID no
        /// longer allow access.
        public let person: String?

        public init(account: AccountID, link: String, name: String, person: String?) {
            (number, self.link, self.name, self.person) = (account.rawValue, link, name, person)
        }

        private enum CodingKeys: String, CodingKey {
            case link, name, person
            case number = "account"
        }

        /// The account with which the user was signed in.
        public var account: AccountID { AccountID(rawValue: number) }
    }

    public let id: Int64
    public let app: App
    public let protocols: [String]
    public var services: [Service]
    public var state: State
    public let askedAt: Timestamp
    /// The time of the decision; `nil` if the user has not decided.
    public var decidedAt: Timestamp?
    /// The time at which a grant expires. After a refusal, the time until which the app cannot ask again.
    public var expiresAt: Timestamp?
}

/// The table of access requests and grants.
public struct GrantTable {
    let transaction: Transaction

    /// Returns all active grants and up to `inactiveLimit` other records, newest first.
    public func fetchAll(inactiveLimit: Int = 1000) throws -> [GrantRecord] {
        try transaction.fetchAll(
            """
            SELECT \(GrantRecord.columns) FROM grants WHERE state = 'granted' OR id IN
            (SELECT id FROM grants WHERE state <> 'granted' ORDER BY id DESC LIMIT ?) ORDER BY id DESC
            """, [inactiveLimit.stored], GrantRecord.init(_:))
    }

    /// Returns all records in a state, newest first. The number of records is not limited, because an app
    /// could otherwise make many requests to hide a grant that must be revoked.
    ///
    /// - Parameters:
    ///   - identity: the app; `nil` for all apps.
    ///   - client: the client ID; `nil` for all clients.
    ///   - time: returns only records that expire after this time.
    public func fetchAll(
        in state: GrantRecord.State, ofApp identity: String? = nil, client: String? = nil,
        expiringAfter time: Timestamp? = nil
    ) throws -> [GrantRecord] {
        try transaction.fetchAll(
            """
            SELECT \(GrantRecord.columns) FROM grants WHERE state = ?1 AND (?2 IS NULL OR identity = ?2)
            AND (?3 IS NULL OR client_id = ?3) AND (?4 IS NULL OR expires_at > ?4) ORDER BY id DESC
            """, [state.rawValue.stored, identity?.stored, client?.stored, time?.stored],
            GrantRecord.init(_:))
    }

    public func find(_ id: Int64) throws -> GrantRecord? {
        try transaction.fetchOne(
            "SELECT \(GrantRecord.columns) FROM grants WHERE id = ?", [id.stored], GrantRecord.init(_:))
    }

    /// Inserts a request.
    ///
    /// - Returns: the ID of the request.
    @_spi(Access) public func insertRequest(
        from app: GrantRecord.App, protocols: [String], at time: Timestamp
    ) throws -> Int64 {
        try transaction.run(
            """
            INSERT INTO grants (app_id, client_id, app_name, identity, verified, protocols, services, state,
            asked_at) VALUES (?, ?, ?, ?, ?, ?, '[]', 'asked', ?)
            """,
            [
                app.id.stored, app.clientID.stored, app.name.stored, app.identity.stored,
                app.isVerified.stored, try GrantRecord.encodeList(protocols).stored, time.stored,
            ])
        return transaction.lastInsertedRow
    }

    /// Stores the services, the state and the times of a grant.
    @_spi(Access) public func update(_ grant: GrantRecord) throws {
        let accounts = Set(grant.services.map(\.account))
        try transaction.run(
            """
            UPDATE grants SET account = ?, services = ?, state = ?, decided_at = ?, expires_at = ? WHERE id = ?
            """,
            [
                accounts.count == 1 ? accounts.first?.stored : nil,
                try GrantRecord.encodeList(grant.services).stored, grant.state.rawValue.stored,
                grant.decidedAt?.stored, grant.expiresAt?.stored, grant.id.stored,
            ])
    }

    /// Deletes records that were created before `time`, except active grants.
    @_spi(Access) public func prune(before time: Timestamp) throws {
        try transaction.run("DELETE FROM grants WHERE state <> 'granted' AND asked_at < ?", [time.stored])
    }
}

extension GrantRecord {
    fileprivate static let columns = """
        id, app_id, client_id, app_name, identity, verified, protocols, services, state, asked_at,
        decided_at, expires_at
        """

    fileprivate init(_ row: inout ColumnReader) {
        id = row.readInt64()
        app = App(
            id: row.readText(), clientID: row.readText(), name: row.readText(), identity: row.readText(),
            isVerified: row.readFlag())
        protocols = Self.decodeList(row.readText())
        services = Self.decodeList(row.readText())
        // Treat an unknown state as revoked, so that it never allows access.
        state = State(rawValue: row.readText()) ?? .revoked
        askedAt = row.readTime()
        decidedAt = row.readOptionalTime()
        expiresAt = row.readOptionalTime()
    }

    private static func decodeList<Element: Decodable>(_ text: String) -> [Element] {
        (try? JSON.decode([Element].self, from: text.utf8)) ?? []
    }

    fileprivate static func encodeList(_ list: some Encodable) throws -> String {
        String(decoding: try JSON.encode(list), as: UTF8.self)
    }
}
