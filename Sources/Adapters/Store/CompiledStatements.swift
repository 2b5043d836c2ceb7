internal import GRDB
internal import GRDBSQLite

/// The statements of one connection, each compiled when it is first used. To be called on the connection's
/// queue alone.
final class CompiledStatements: @unchecked Sendable {
    private let connection: SQLiteConnection
    private var compiled: [Source: CompiledStatement] = [:]
    private var handles: [SQLiteStatement] = []

    /// Throws where the database is closed.
    init(of database: Database) throws { connection = try database.openConnection() }

    subscript(_ sql: String) -> CompiledStatement {
        get throws {
            if let known = compiled[Source(text: sql)] { return known }
            let statement = CompiledStatement(try compile(sql))
            compiled[Source(text: sql)] = statement
            return statement
        }
    }

    /// Gives them back: the connection cannot be closed before.
    func removeAll() {
        compiled.removeAll()
        for handle in handles { sqlite3_finalize(handle) }
        handles.removeAll()
    }

    private func compile(_ sql: String) throws -> SQLiteStatement {
        var handle: SQLiteStatement?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_MISUSE : code),
                message: sqlite3_errmsg(connection).map { String(cString: $0) }, sql: sql)
        }
        handles.append(handle)
        return handle
    }

    /// Few statements are of the same length: to hash all of a text would take longer than to run some.
    private struct Source: Hashable {
        let text: String

        func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
    }
}

extension Database {
    func openConnection() throws -> SQLiteConnection {
        guard let sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed")
        }
        return sqliteConnection
    }
}
