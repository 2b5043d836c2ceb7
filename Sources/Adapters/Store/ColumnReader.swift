internal import CutieAPI
internal import GRDB
internal import GRDBSQLite

/// Reads a row's columns from left to right. A NULL where there should be none reads as 0 or "": rows
/// of a damaged file must end in an error, not in a trap that would come back at every start.
struct ColumnReader {
    private let statement: SQLiteStatement
    private var index: CInt = 0

    /// Of a statement that stands at a row, and only until its next step.
    init(_ statement: SQLiteStatement) { self.statement = statement }

    private mutating func next<Value>(_ read: (SQLiteStatement, CInt) -> Value?) -> Value? {
        defer { index += 1 }
        guard sqlite3_column_type(statement, index) != SQLITE_NULL else { return nil }
        return read(statement, index)
    }

    mutating func optionalInt64() -> Int64? { next(sqlite3_column_int64) }
    mutating func optionalInt() -> Int? { optionalInt64().map(Int.init) }
    mutating func optionalText() -> String? {
        next { statement, index in
            sqlite3_column_text(statement, index).map {
                let bytes = UnsafeBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, index)))
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
    mutating func optionalTime() -> Timestamp? { optionalInt64().map(Timestamp.init(milliseconds:)) }
    mutating func optionalID<Subject>() -> Identifier<Subject>? {
        optionalText().map(Identifier.init(rawValue:))
    }
    mutating func optionalAccount() -> AccountID? { optionalInt64().map(AccountID.init(rawValue:)) }

    mutating func int64() -> Int64 { optionalInt64() ?? 0 }
    mutating func int() -> Int { optionalInt() ?? 0 }
    mutating func flag() -> Bool { int64() != 0 }
    mutating func text() -> String { optionalText() ?? "" }
    mutating func time() -> Timestamp { Timestamp(milliseconds: int64()) }
    mutating func id<Subject>() -> Identifier<Subject> { Identifier(rawValue: text()) }
    mutating func account() -> AccountID { AccountID(rawValue: int64()) }
}
