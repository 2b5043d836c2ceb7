internal import CSQLite
internal import CutieAPI
import Glibc

/// The cache of compiled statements of a connection.
final class CompiledStatements {
    private let connection: OpaquePointer
    /// The compiled statements, indexed by the length of their SQL text. Few statements have the same length.
    /// A hash table would be slower: hashing the text takes longer than running a short statement.
    private var compiled = [[CachedStatement]](repeating: [], count: 1024)
    private let texts = BoundTexts()

    init(of connection: OpaquePointer) { self.connection = connection }

    subscript(_ sql: String) -> CompiledStatement {
        get throws(SQLiteError) {
            let place = sql.utf8.count % compiled.count
            if let known = compiled[place].first(where: { $0.sql == sql }) { return known.statement }
            let statement = CompiledStatement(try compile(sql), texts)
            compiled[place].append(CachedStatement(sql: sql, statement: statement))
            return statement
        }
    }

    private struct CachedStatement {
        let sql: String
        let statement: CompiledStatement
    }

    /// Finalizes all statements. Must be called before the connection is closed.
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

/// A statement that is compiled once per connection.
struct CompiledStatement {
    private let handle: OpaquePointer
    private let texts: BoundTexts

    init(_ handle: OpaquePointer, _ texts: BoundTexts) { (self.handle, self.texts) = (handle, texts) }

    /// Finalizes the statement. The statement must not be used afterwards.
    func finalize() { sqlite3_finalize(handle) }

    /// Runs the statement to completion and ignores its rows.
    func run(_ bind: (inout Binder) -> Void) throws {
        let hasCopies = try beginRun(bind)
        defer { reset(clearsBindings: hasCopies) }
        while try step() {}
    }

    func fetchAll<Record>(
        binding bind: (inout Binder) -> Void, decoding decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        let hasCopies = try beginRun(bind)
        defer { reset(clearsBindings: hasCopies) }
        var records: [Record] = []
        while try step() {
            var row = ColumnReader(handle)
            records.append(try decode(&row))
        }
        return records
    }

    /// Calls `body` with each decoded row until `body` returns `false`.
    func forEachRow<Record>(
        binding bind: (inout Binder) -> Void, decoding decode: (inout ColumnReader) throws -> Record,
        perform body: (Record) throws -> Bool
    ) throws {
        // Do not use the shared `texts`, because `body` may run other statements between two rows.
        _ = try beginRun(bind, requiresExclusiveUse: false)
        defer { reset(clearsBindings: true) }
        while try step() {
            var row = ColumnReader(handle)
            guard try body(decode(&row)) else { return }
        }
    }

    /// Returns the first row, decoded; `nil` if there are no rows.
    func fetchOne<Record>(
        binding bind: (inout Binder) -> Void, decoding decode: (inout ColumnReader) throws -> Record
    ) throws -> Record? {
        let hasCopies = try beginRun(bind)
        defer { reset(clearsBindings: hasCopies) }
        guard try step() else { return nil }
        var row = ColumnReader(handle)
        return try decode(&row)
    }

    /// Binds the values to the parameters.
    ///
    /// - Returns: whether SQLite copied values, which must be freed after the statement.
    private func beginRun(_ bind: (inout Binder) -> Void, requiresExclusiveUse isAlone: Bool = true)
        throws(SQLiteError) -> Bool
    {
        var binder = Binder(handle, isAlone ? texts : nil)
        bind(&binder)
        do throws(SQLiteError) {
            return try binder.finish()
        } catch {
            reset(clearsBindings: true)
            throw error
        }
    }

    /// Advances the statement to the next row.
    ///
    /// - Returns: whether there is a row.
    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        guard code != SQLITE_ROW else { return true }
        guard code != SQLITE_DONE else { return false }
        throw SQLiteError(code, of: sqlite3_db_handle(handle))
    }

    /// Resets the statement, which would otherwise keep its read snapshot open.
    ///
    /// - Parameter clearing: whether to free SQLite's copies of the values, too.
    private func reset(clearsBindings: Bool) {
        sqlite3_reset(handle)
        if clearsBindings { sqlite3_clear_bindings(handle) }
    }
}

/// A reader of the columns of a row, from left to right. An unexpected NULL is read as 0 or "", because a
/// trap on a corrupt row would terminate the daemon at every startup.
struct ColumnReader {
    private let statement: OpaquePointer
    private var index: CInt = 0

    /// Creates a reader, which is valid until the statement advances to another row.
    ///
    /// - Parameter statement: a statement that has a current row.
    init(_ statement: OpaquePointer) { self.statement = statement }

    private mutating func readNext<Value>(_ read: (OpaquePointer, CInt) -> Value?) -> Value? {
        defer { index += 1 }
        guard sqlite3_column_type(statement, index) != SQLITE_NULL else { return nil }
        return read(statement, index)
    }

    mutating func readOptionalInt64() -> Int64? { readNext(sqlite3_column_int64) }
    mutating func readOptionalInt() -> Int? { readOptionalInt64().map(Int.init) }
    mutating func readOptionalText() -> String? {
        readNext { statement, index in
            sqlite3_column_text(statement, index).map {
                let bytes = UnsafeBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, index)))
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
    mutating func readBytes() -> [UInt8] {
        readNext { statement, index in
            sqlite3_column_blob(statement, index).map {
                Array(UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, index))))
            }
        } ?? []
    }
    mutating func readOptionalTime() -> Timestamp? { readOptionalInt64().map(Timestamp.init(milliseconds:)) }
    mutating func readOptionalID<Subject>() -> Identifier<Subject>? {
        readOptionalText().map(Identifier.init(rawValue:))
    }
    mutating func readOptionalAccount() -> AccountID? { readOptionalInt64().map(AccountID.init(rawValue:)) }

    mutating func readInt64() -> Int64 { readOptionalInt64() ?? 0 }
    mutating func readInt() -> Int { readOptionalInt() ?? 0 }
    mutating func readFlag() -> Bool { readInt64() != 0 }
    mutating func readText() -> String { readOptionalText() ?? "" }
    mutating func readTime() -> Timestamp { Timestamp(milliseconds: readInt64()) }
    mutating func readID<Subject>() -> Identifier<Subject> { Identifier(rawValue: readText()) }
    mutating func readAccount() -> AccountID { AccountID(rawValue: readInt64()) }
}
