internal import GRDB

/// The rows, as they are within one `Store.write` or `Store.read`. Not to be kept after its closure.
public struct Transaction {
    let database: Database
    let statements: CompiledStatements

    func run(_ sql: String, _ values: Values = []) throws { try statements[sql].run(values) }

    func all<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        try statements[sql].rows(values, decode)
    }

    /// Hands the rows to `body` one by one, until it returns false.
    func read<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record,
        _ body: (Record) throws -> Bool
    ) throws {
        try statements[sql].read(values, decode, body)
    }

    func first<Record>(
        _ sql: String, _ values: Values = [], _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        try statements[sql].first(values, decode)
    }

    func count(_ sql: String, _ values: Values = []) throws -> Int {
        try first(sql, values) { $0.int() } ?? 0
    }

    /// How many rows the last statement changed, triggers not counted.
    var changes: Int { database.changesCount }
}
