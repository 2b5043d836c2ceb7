import CutieAPI
import FoundationEssentials
import GRDB

/// The sandbox's memory: one database, and a bell that wakes who waits for events.
final class Archive: Sendable {
    let doorbell = Doorbell()
    let epoch: Epoch
    private let queue: DatabaseQueue
    private let keptEvents: Int

    init(path: String, keptEvents: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // A second sandbox on the same file would change it without ringing this one's bell.
            try database.execute(
                sql: """
                    PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL
                    """)
        }
        if path != ":memory:" { Self.create(path) }
        do {
            queue =
                path == ":memory:"
                ? try DatabaseQueue(configuration: configuration)
                : try DatabaseQueue(path: path, configuration: configuration)
            try Schema.migrator.migrate(queue)
            epoch = try queue.write { Epoch(rawValue: try $0.setting("epoch", default: Epoch.begin)) }
        } catch let error as DatabaseError {
            throw SandboxError(
                .badDatabase, "cannot open the database \(path): \(error.message ?? error.description)")
        }
        self.keptEvents = keptEvents
    }

    /// For its owner alone: there are tokens in it. Where it cannot be made, opening it says why.
    private static func create(_ path: String) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        _ = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await queue.read(work)
    }

    /// All or nothing; who waits for what it tells is woken when it is committed.
    func change<Value: Sendable>(
        _ work: @escaping @Sendable (Change) throws -> Value
    ) async throws -> Value {
        try await queue.write { [doorbell, epoch, keptEvents] database in
            let change = try Change(database, epoch: epoch, keptEvents: keptEvents)
            let value = try work(change)
            let (groups, head) = (change.woken, change.head)
            // After the commit and on the writer's own queue: a caller that was cancelled meanwhile
            // must not leave anybody asleep.
            database.afterNextTransaction { _ in doorbell.ring(groups, at: head) }
            return value
        }
    }

    /// The admin's credentials: as given, else as kept, else new ones.
    func adoptClient(_ given: OAuthClient?) async throws -> OAuthClient {
        try await change { change in
            if let given {
                try change.database.set("client_id", to: given.id)
                try change.database.set("client_secret", to: given.secret)
            }
            return OAuthClient(
                id: try change.database.setting("client_id") { Secret.make("cutie_ci_") },
                secret: try change.database.setting("client_secret") { Secret.make("cutie_cs_") })
        }
    }
}

extension Database {
    /// The value of `name`, which is kept from its first use on.
    func setting(_ name: String, default make: () -> String) throws -> String {
        if let value = try setting(name) { return value }
        let value = make()
        try set(name, to: value)
        return value
    }

    func setting(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    }

    func set(_ name: String, to value: String) throws {
        try execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
    }
}

/// Statements that come again and again are compiled once: that is most of the time of a small one.
extension Database {
    func run(sql: String, arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(sql: String, arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    func number(sql: String, arguments: StatementArguments = []) throws -> Int64? {
        try Int64.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }
}

/// The life of a database. Event ids carry it, so that an id from another life is not taken for one of
/// this: it leads to a reset. Later lives have greater ids.
struct Epoch: RawRepresentable, Sendable {
    let rawValue: String

    /// A new one: the moment in milliseconds and a few random digits.
    static func begin() -> String {
        let moment = Secret.hexadecimal(UInt64(max(0, Timestamp.now.milliseconds)))
        return String(moment.suffix(11)) + Secret.hexadecimal(.random(in: 0 ... .max)).suffix(4)
    }

    /// Ids are as long as each other: their order as text is the order of the events.
    func id(of number: Int64) -> Event.ID {
        let digits = String(number)
        return Event.ID(
            rawValue + "-" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits)
    }

    /// The number that `id` stands for, or nil where it is none of this epoch.
    func number(of id: String) -> Int64? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == rawValue, parts[1].count == 16 else { return nil }
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(parts[1])
    }
}
