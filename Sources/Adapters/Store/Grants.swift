public import CutieAPI

/// What an app asked for at services, and what the person said.
public struct GrantRecord: Hashable, Sendable {
    public enum State: String, Sendable {
        /// The person has not decided yet.
        case asked
        case granted, refused, expired, revoked
    }

    /// What the app said of itself, and what the system says of it.
    public struct App: Hashable, Sendable {
        /// As it calls itself to services.
        public let id: String
        public let clientID: String
        /// As it calls itself to people.
        public let name: String
        /// Tells it from all other apps, as the system knows it.
        public let identity: String
        public let isVerified: Bool

        public init(id: String, clientID: String, name: String, identity: String, isVerified: Bool) {
            (self.id, self.clientID, self.name) = (id, clientID, name)
            (self.identity, self.isVerified) = (identity, isVerified)
        }
    }

    /// A service that the person chose.
    public struct Service: Hashable, Sendable, Codable {
        private let number: Int64
        public let link: String
        public let name: String
        /// Who allowed it, as the issuer calls them; nil: a row of an earlier version, which allows nothing.
        public let person: String?

        public init(account: AccountID, link: String, name: String, person: String?) {
            (number, self.link, self.name, self.person) = (account.rawValue, link, name, person)
        }

        private enum CodingKeys: String, CodingKey {
            case link, name, person
            case number = "account"
        }

        /// Where that person had signed in.
        public var account: AccountID { AccountID(rawValue: number) }
    }

    public let id: Int64
    public let app: App
    public let protocols: [String]
    public var services: [Service]
    public var state: State
    public let askedAt: Timestamp
    /// nil: the person has not said anything.
    public var decidedAt: Timestamp?
    /// So long it holds; of a refused one, so long it is not asked about again.
    public var expiresAt: Timestamp?
}

/// The record of what apps were granted.
public struct GrantTable {
    let transaction: Transaction

    /// What a person sees: all that are granted, and the newest `limit` of the others, newest first.
    public func all(limit: Int = 1000) throws -> [GrantRecord] {
        try transaction.all(
            """
            SELECT \(GrantRecord.columns) FROM grants WHERE state = 'granted' OR id IN
            (SELECT id FROM grants WHERE state <> 'granted' ORDER BY id DESC LIMIT ?) ORDER BY id DESC
            """, [limit.stored], GrantRecord.init(_:))
    }

    /// All in that state, newest first, however many others there are since: an app that asks again and again would
    /// push out of sight what has to end. `identity` nil: of all apps; `client` nil: whatever it calls itself; `time`:
    /// only those that end after it.
    public func all(
        _ state: GrantRecord.State, of identity: String? = nil, client: String? = nil,
        endingAfter time: Timestamp? = nil
    ) throws -> [GrantRecord] {
        try transaction.all(
            """
            SELECT \(GrantRecord.columns) FROM grants WHERE state = ?1 AND (?2 IS NULL OR identity = ?2)
            AND (?3 IS NULL OR client_id = ?3) AND (?4 IS NULL OR expires_at > ?4) ORDER BY id DESC
            """, [state.rawValue.stored, identity?.stored, client?.stored, time?.stored],
            GrantRecord.init(_:))
    }

    public func find(_ id: Int64) throws -> GrantRecord? {
        try transaction.first(
            "SELECT \(GrantRecord.columns) FROM grants WHERE id = ?", [id.stored], GrantRecord.init(_:))
    }

    /// Returns its number.
    @_spi(Access) public func insert(
        _ app: GrantRecord.App, protocols: [String], at time: Timestamp
    ) throws -> Int64 {
        try transaction.run(
            """
            INSERT INTO grants (app_id, client_id, app_name, identity, verified, protocols, services, state,
            asked_at) VALUES (?, ?, ?, ?, ?, ?, '[]', 'asked', ?)
            """,
            [
                app.id.stored, app.clientID.stored, app.name.stored, app.identity.stored,
                app.isVerified.stored, try GrantRecord.text(protocols).stored, time.stored,
            ])
        return transaction.lastRow
    }

    /// Services, state and times are as they are in `grant`.
    @_spi(Access) public func update(_ grant: GrantRecord) throws {
        let accounts = Set(grant.services.map(\.account))
        try transaction.run(
            """
            UPDATE grants SET account = ?, services = ?, state = ?, decided_at = ?, expires_at = ? WHERE id = ?
            """,
            [
                accounts.count == 1 ? accounts.first?.stored : nil,
                try GrantRecord.text(grant.services).stored, grant.state.rawValue.stored,
                grant.decidedAt?.stored, grant.expiresAt?.stored, grant.id.stored,
            ])
    }

    /// Takes away what was decided, or nobody decided, so long ago that nobody asks for it.
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
        id = row.int64()
        app = App(
            id: row.text(), clientID: row.text(), name: row.text(), identity: row.text(),
            isVerified: row.flag())
        protocols = Self.list(row.text())
        services = Self.list(row.text())
        // What this version does not understand allows nothing.
        state = State(rawValue: row.text()) ?? .revoked
        askedAt = row.time()
        decidedAt = row.optionalTime()
        expiresAt = row.optionalTime()
    }

    private static func list<Element: Decodable>(_ text: String) -> [Element] {
        (try? JSON.decode([Element].self, from: text.utf8)) ?? []
    }

    fileprivate static func text(_ list: some Encodable) throws -> String {
        String(decoding: try JSON.encode(list), as: UTF8.self)
    }
}
