internal import GRDB

/// The rows, as they are within one `Store.write` or `Store.read`. Not to be kept after its closure.
public struct Transaction {
    let database: Database

    /// Runs a statement that is compiled once for the life of the connection.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func all<Record>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var records: [Record] = []
        while let row = try cursor.next() {
            var reader = ColumnReader(row)
            records.append(try decode(&reader))
        }
        return records
    }

    func first<Record>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        guard let row = try cursor.next() else { return nil }
        var reader = ColumnReader(row)
        return try decode(&reader)
    }

    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try first(sql, arguments) { $0.int() } ?? 0
    }

    /// How many rows the last statement changed, triggers not counted.
    var changes: Int { database.changesCount }
}
