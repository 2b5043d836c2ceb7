internal import CSQLite
internal import CutieAPI
import Glibc

/// The statements of one connection, each compiled when it is first used.
final class CompiledStatements {
    private let connection: OpaquePointer
    /// By the lengths of their texts, of which few are the same: to hash a text takes longer than to run some.
    private var compiled = [[Known]](repeating: [], count: 1024)

    init(of connection: OpaquePointer) { self.connection = connection }

    subscript(_ sql: String) -> CompiledStatement {
        get throws(SQLiteError) {
            let place = sql.utf8.count % compiled.count
            if let known = compiled[place].first(where: { $0.sql == sql }) { return known.statement }
            let statement = CompiledStatement(try compile(sql))
            compiled[place].append(Known(sql: sql, statement: statement))
            return statement
        }
    }

    private struct Known {
        let sql: String
        let statement: CompiledStatement
    }

    /// Gives them back: the connection cannot be closed before.
    func removeAll() {
        for place in compiled.indices {
            for known in compiled[place] { known.statement.finalize() }
            compiled[place] = []
        }
    }

    private func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: connection) }
        guard let handle else { throw SQLiteError(SQLITE_MISUSE, "no statement") }
        return handle
    }
}

/// A statement that is compiled once for the life of its connection.
struct CompiledStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// Gives it back; not to be used any more.
    func finalize() { sqlite3_finalize(handle) }

    /// Runs it to its end; rows are not looked at.
    func run(_ values: Values) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    func rows<Record>(
        _ values: Values, _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        defer { reset() }
        try bind(values)
        var records: [Record] = []
        while try step() {
            var row = ColumnReader(handle)
            records.append(try decode(&row))
        }
        return records
    }

    /// Hands the rows to `body` one by one, until it returns false.
    func read<Record>(
        _ values: Values, _ decode: (inout ColumnReader) throws -> Record, _ body: (Record) throws -> Bool
    ) throws {
        defer { reset() }
        try bind(values)
        while try step() {
            var row = ColumnReader(handle)
            guard try body(decode(&row)) else { return }
        }
    }

    /// Decodes the first row.
    func first<Record>(
        _ values: Values, _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        defer { reset() }
        try bind(values)
        guard try step() else { return nil }
        var row = ColumnReader(handle)
        return try decode(&row)
    }

    private func bind(_ values: Values) throws(SQLiteError) {
        // One that is left out would be NULL, without a word.
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(SQLITE_MISUSE, "another number of values than wanted")
        }
        for index in values.indices { try check(bind(values[index], at: CInt(index + 1))) }
    }

    private func bind(_ value: StoredValue?, at index: CInt) -> CInt {
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .text(let text): bind(text, at: index)
        case .bytes(let bytes): bind(bytes, at: index)
        case nil: sqlite3_bind_null(handle, index)
        }
    }

    private func bind(_ text: consuming String, at index: CInt) -> CInt {
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // Of no bytes there may be no address, which SQLite would take for NULL.
                $0.isEmpty
                    ? sqlite3_bind_text(handle, index, "", 0, nil)
                    : sqlite3_bind_text(handle, index, $0.baseAddress, CInt($0.count), Self.copied)
            }
        }
    }

    private func bind(_ bytes: [UInt8], at index: CInt) -> CInt {
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob(handle, index, bytes, CInt(bytes.count), Self.copied)
    }

    /// SQLITE_TRANSIENT, which C writes as a cast.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Whether it stands at a row now.
    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        guard code != SQLITE_ROW else { return true }
        guard code != SQLITE_DONE else { return false }
        try check(code)
        return false
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        throw SQLiteError(code, of: sqlite3_db_handle(handle))
    }

    /// One that stayed amid its rows would keep up the state of the database that it saw, and its values
    /// their memory.
    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// Reads a row's columns from left to right. A NULL where there should be none reads as 0 or "": rows
/// of a damaged file must end in an error, not in a trap that would come back at every start.
struct ColumnReader {
    private let statement: OpaquePointer
    private var index: CInt = 0

    /// Of a statement that stands at a row, and only until its next step.
    init(_ statement: OpaquePointer) { self.statement = statement }

    private mutating func next<Value>(_ read: (OpaquePointer, CInt) -> Value?) -> Value? {
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
    mutating func bytes() -> [UInt8] {
        next { statement, index in
            sqlite3_column_blob(statement, index).map {
                Array(UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, index))))
            }
        } ?? []
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

/// A value as SQLite takes it.
enum StoredValue {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// What a statement's question marks stand for, in their order; nil is NULL.
typealias Values = [StoredValue?]

extension [UInt8] { var stored: StoredValue { .bytes(self) } }
extension Int64 { var stored: StoredValue { .integer(self) } }
extension Int { var stored: StoredValue { .integer(Int64(self)) } }
extension UInt32 { var stored: StoredValue { .integer(Int64(self)) } }
extension Bool { var stored: StoredValue { .integer(self ? 1 : 0) } }
extension Timestamp { var stored: StoredValue { .integer(milliseconds) } }
extension AccountID { var stored: StoredValue { .integer(rawValue) } }
extension Stage { var stored: StoredValue { .integer(code) } }
extension Identifier { var stored: StoredValue { rawValue.stored } }

extension String {
    /// Without NUL: SQLite would end the text there, which would make two ids one and lose the rest of
    /// a message.
    var stored: StoredValue {
        let holdsNull = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        guard holdsNull ?? utf8.contains(0) else { return .text(self) }
        return .text(String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })))
    }
}
