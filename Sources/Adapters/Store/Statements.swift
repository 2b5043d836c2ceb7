internal import CSQLite
internal import CutieAPI
import Glibc

/// The statements of one connection, each compiled when it is first used.
final class CompiledStatements {
    private let connection: OpaquePointer
    /// By the lengths of their texts, of which few are the same: to hash a text takes longer than to run some.
    private var compiled = [[Known]](repeating: [], count: 1024)
    private let texts = BoundTexts()

    init(of connection: OpaquePointer) { self.connection = connection }

    subscript(_ sql: String) -> CompiledStatement {
        get throws(SQLiteError) {
            let place = sql.utf8.count % compiled.count
            if let known = compiled[place].first(where: { $0.sql == sql }) { return known.statement }
            let statement = CompiledStatement(try compile(sql), texts)
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
    private let texts: BoundTexts

    init(_ handle: OpaquePointer, _ texts: BoundTexts) { (self.handle, self.texts) = (handle, texts) }

    /// Gives it back; not to be used any more.
    func finalize() { sqlite3_finalize(handle) }

    /// Runs it to its end; rows are not looked at.
    func run(_ bind: (inout Binder) -> Void) throws {
        let hasCopies = try beginRun(bind)
        defer { reset(clearing: hasCopies) }
        while try step() {}
    }

    func rows<Record>(
        _ bind: (inout Binder) -> Void, _ decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        let hasCopies = try beginRun(bind)
        defer { reset(clearing: hasCopies) }
        var records: [Record] = []
        while try step() {
            var row = ColumnReader(handle)
            records.append(try decode(&row))
        }
        return records
    }

    /// Hands the rows to `body` one by one, until it returns false.
    func read<Record>(
        _ bind: (inout Binder) -> Void, _ decode: (inout ColumnReader) throws -> Record,
        _ body: (Record) throws -> Bool
    ) throws {
        // Between two rows `body` may run other statements, which want the place of the texts.
        _ = try beginRun(bind, isAlone: false)
        defer { reset(clearing: true) }
        while try step() {
            var row = ColumnReader(handle)
            guard try body(decode(&row)) else { return }
        }
    }

    /// Decodes the first row.
    func first<Record>(
        _ bind: (inout Binder) -> Void, _ decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        let hasCopies = try beginRun(bind)
        defer { reset(clearing: hasCopies) }
        guard try step() else { return nil }
        var row = ColumnReader(handle)
        return try decode(&row)
    }

    /// Binds the values. True where SQLite has copies of some.
    private func beginRun(_ bind: (inout Binder) -> Void, isAlone: Bool = true) throws(SQLiteError) -> Bool {
        var binder = Binder(handle, isAlone ? texts : nil)
        bind(&binder)
        do throws(SQLiteError) {
            return try binder.finish()
        } catch {
            reset(clearing: true)
            throw error
        }
    }

    /// Whether it stands at a row now.
    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        guard code != SQLITE_ROW else { return true }
        guard code != SQLITE_DONE else { return false }
        throw SQLiteError(code, of: sqlite3_db_handle(handle))
    }

    /// One that stayed amid its rows would keep up the state of the database that it saw, and copies of its values
    /// their memory.
    private func reset(clearing: Bool) {
        sqlite3_reset(handle)
        if clearing { sqlite3_clear_bindings(handle) }
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
