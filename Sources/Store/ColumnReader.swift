internal import CutieAPI
internal import GRDB

/// Reads a row's columns from left to right. A NULL where there should be none reads as 0 or "": rows
/// of a damaged file must end in an error, not in a trap that would come back at every start.
struct ColumnReader {
    private let row: Row
    private var index = 0

    init(_ row: Row) { self.row = row }

    private mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value? {
        defer { index += 1 }
        return row[index]
    }

    mutating func optionalInt64() -> Int64? { next() }
    mutating func optionalInt() -> Int? { optionalInt64().map(Int.init) }
    mutating func optionalText() -> String? { next() }
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
