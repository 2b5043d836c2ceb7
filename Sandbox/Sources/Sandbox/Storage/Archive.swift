import CutieAPI
import FoundationEssentials
import GRDB

/// The storage of the sandbox: a database, and an `EventWakeup` that wakes event readers after changes.
final class Archive: Sendable {
    let eventWakeup = EventWakeup()
    let epoch: Epoch
    private let queue: DatabaseQueue
    private let retainedEvents: Int

    init(path: String, retainedEvents: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // Lock the file against a second sandbox, because the changes of a second sandbox would not wake
            // the event readers of this sandbox.
            try database.execute(
                sql: """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL
                    """)
        }
        if path != ":memory:" { Self.createFile(at: path) }
        do {
            queue =
                path == ":memory:"
                ? try DatabaseQueue(configuration: configuration)
                : try DatabaseQueue(path: path, configuration: configuration)
            try SandboxSchema.migrator.migrate(queue)
            epoch = try queue.write {
                Epoch(rawValue: try $0.findOrStoreSetting("epoch", default: Epoch.makeRawValue))
            }
        } catch let error as DatabaseError {
            throw SandboxError(
                .badDatabase, "cannot open the database \(path): \(error.message ?? error.description)")
        }
        self.retainedEvents = retainedEvents
    }

    /// Creates the file with mode 0600, because it will contain tokens. Ignores errors; opening the database
    /// reports them.
    private static func createFile(at path: String) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        _ = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await queue.read(work)
    }

    /// Runs a write transaction. After the commit, wakes event readers if the transaction added events.
    func change<Value: Sendable>(
        _ work: @escaping @Sendable (SandboxTransaction) throws -> Value
    ) async throws -> Value {
        try await queue.write { [eventWakeup, epoch, retainedEvents] database in
            let change = try SandboxTransaction(database, epoch: epoch, retainedEvents: retainedEvents)
            let value = try work(change)
            let (groups, head) = (change.woken, change.head)
            // This closure runs on the writer queue after the commit, so that readers are woken even if the
            // caller was cancelled.
            database.afterNextTransaction { _ in eventWakeup.wakeReaders(of: groups, atEvent: head) }
            return value
        }
    }

    /// Returns the admin's client credentials: `preferredClient`, stored credentials, or newly generated
    /// credentials. Stores the returned
    /// credentials.
    func findOrStoreClient(preferring preferredClient: OAuthClient?) async throws -> OAuthClient {
        try await change { change in
            if let preferredClient {
                try change.database.storeSetting("client_id", value: preferredClient.id)
                try change.database.storeSetting("client_secret", value: preferredClient.secret)
            }
            return OAuthClient(
                id: try change.database.findOrStoreSetting("client_id") {
                    RandomText.makeID(prefix: "cutie_ci_")
                },
                secret: try change.database.findOrStoreSetting("client_secret") {
                    RandomText.makeID(prefix: "cutie_cs_")
                })
        }
    }
}

extension Database {
    /// Returns a setting. If the setting is missing, stores and returns the default.
    func findOrStoreSetting(_ name: String, default make: () -> String) throws -> String {
        if let value = try findSetting(name) { return value }
        let value = make()
        try storeSetting(name, value: value)
        return value
    }

    func findSetting(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    }

    func storeSetting(_ name: String, value: String) throws {
        try execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
    }
}

/// Query functions with cached statements. For a short query, compiling the statement takes most of the time.
extension Database {
    func run(sql: String, arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func fetchRow(sql: String, arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    func fetchNumber(sql: String, arguments: StatementArguments = []) throws -> Int64? {
        try Int64.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }
}

/// The identity of a database, included in each event ID. A client with an event ID from another database
/// therefore receives a `reset`. A newer epoch is greater than an older epoch.
struct Epoch: RawRepresentable, Sendable {
    let rawValue: String

    /// Returns a new epoch: the time in milliseconds and four random digits, all in hexadecimal.
    static func makeRawValue() -> String {
        let moment = RandomText.hexadecimalText(of: UInt64(max(0, Timestamp.now.milliseconds)))
        return String(moment.suffix(11)) + RandomText.hexadecimalText(of: .random(in: 0 ... .max)).suffix(4)
    }

    /// Returns the ID of an event. All IDs have the same length, so sorting IDs as text sorts the events.
    func eventID(forNumber number: Int64) -> Event.ID {
        let digits = String(number)
        return Event.ID(
            rawValue + "-" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits)
    }

    /// Returns the number of an event; `nil` if the ID has another epoch.
    func eventNumber(of id: String) -> Int64? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == rawValue, parts[1].count == 16 else { return nil }
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(parts[1])
    }
}
