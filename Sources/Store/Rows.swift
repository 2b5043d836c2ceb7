internal import GRDB
internal import GRDBSQLite

/// Goes over the rows of a statement. GRDB's own `Row` learns the names of its columns anew each time, which
/// costs more than most queries here.
final class Rows: DatabaseCursor {
    typealias Element = ColumnReader

    // The names are the protocol's.
    let _statement: Statement
    var _isDone = false

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        _statement = statement
        try statement.setArguments(arguments)
    }

    /// A statement that stayed amid its rows would keep up the state of the database that it saw.
    deinit { sqlite3_reset(_statement.sqliteStatement) }

    func _element(sqliteStatement: SQLiteStatement) -> ColumnReader { ColumnReader(sqliteStatement) }
}
