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
        let rows = try Rows(database.cachedStatement(sql: sql), arguments)
        var records: [Record] = []
        while var row = try rows.next() { records.append(try decode(&row)) }
        return records
    }

    func first<Record>(
        _ sql: String, _ arguments: StatementArguments = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        let rows = try Rows(database.cachedStatement(sql: sql), arguments)
        guard var row = try rows.next() else { return nil }
        return try decode(&row)
    }

    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try first(sql, arguments) { $0.int() } ?? 0
    }

    /// How many rows the last statement changed, triggers not counted.
    var changes: Int { database.changesCount }
}
