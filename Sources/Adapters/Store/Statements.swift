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
    func finalizeAll() {
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
    func run(binding bind: (inout Binder) -> Void) throws {
        let hasCopies = try beginRun(binding: bind)
        defer { reset(clearsBindings: hasCopies) }
        while try step() {}
    }

    func fetchAll<Record>(
        binding bind: (inout Binder) -> Void, decoding decode: (inout ColumnReader) throws -> Record
    ) throws -> [Record] {
        let hasCopies = try beginRun(binding: bind)
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
        _ = try beginRun(binding: bind, requiresExclusiveUse: false)
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
        let hasCopies = try beginRun(binding: bind)
        defer { reset(clearsBindings: hasCopies) }
        guard try step() else { return nil }
        var row = ColumnReader(handle)
        return try decode(&row)
    }

    /// Binds the values to the parameters.
    ///
    /// - Returns: whether SQLite copied values, which must be freed after the statement.
    private func beginRun(binding bind: (inout Binder) -> Void, requiresExclusiveUse isAlone: Bool = true)
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
    /// - Parameter clearsBindings: whether to free SQLite's copies of the values, too.
    private func reset(clearsBindings: Bool) {
        sqlite3_reset(handle)
        if clearsBindings { sqlite3_clear_bindings(handle) }
    }
}

/// A binder of values to the parameters of a statement, in order. `nil` is bound as NULL. Frequent statements
/// bind value by value, because an array of values would be allocated about twenty times per event.
struct Binder: ~Copyable {
    private let statement: OpaquePointer
    /// The buffer for strings; `nil` to let SQLite copy the strings.
    private let texts: BoundTexts?
    private var count: CInt = 0
    private var failure = SQLITE_OK
    private var hasCopiedTexts = false

    init(_ statement: OpaquePointer, _ texts: BoundTexts?) {
        (self.statement, self.texts) = (statement, texts)
        texts?.freeAll()
    }

    /// Finishes binding.
    ///
    /// - Returns: whether SQLite copied values, which must be freed after the statement.
    /// - Throws: an error if SQLite rejected a value, or if the number of values is wrong. Without this
    ///   check, SQLite would use NULL or the previous value for a missing value.
    consuming func finish() throws(SQLiteError) -> Bool {
        guard failure == SQLITE_OK else { throw SQLiteError(failure, of: sqlite3_db_handle(statement)) }
        guard count == sqlite3_bind_parameter_count(statement) else {
            throw SQLiteError(SQLITE_MISUSE, "wrong number of values")
        }
        return hasCopiedTexts
    }

    mutating func bind(_ number: Int64?) {
        count += 1
        recordFailure(
            number.map { sqlite3_bind_int64(statement, count, $0) } ?? sqlite3_bind_null(statement, count))
    }

    mutating func bind(_ number: Int?) { bind(number.map(Int64.init)) }
    mutating func bind(_ number: UInt32) { bind(Int64(number)) }
    mutating func bind(_ flag: Bool) { bind(flag ? 1 : 0 as Int64) }
    mutating func bind(_ time: Timestamp?) { bind(time?.milliseconds) }
    mutating func bind(_ account: AccountID?) { bind(account?.rawValue) }
    mutating func bind(_ stage: LedgerStage) { bind(stage.code) }
    mutating func bind<Subject>(_ id: Identifier<Subject>?) { bind(id?.rawValue) }

    mutating func bind(_ text: String?) {
        guard let text else { return bind(nil as Int64?) }
        count += 1
        let isBound: Void? = text.utf8.withContiguousStorageIfAvailable { bind($0) }
        if isBound == nil { Array(text.utf8).withUnsafeBufferPointer { bind($0) } }
    }

    mutating func bind(_ values: Values) {
        for value in values {
            switch value {
            case .integer(let number): bind(number)
            case .text(let text): bind(text)
            case .bytes(let bytes): bind(bytes)
            case nil: bind(nil as Int64?)
            }
        }
    }

    private mutating func bind(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress, !text.isEmpty else {
            // For an empty string, bind a constant: the address of an empty buffer may be null, and SQLite
            // would bind NULL.
            return recordFailure(sqlite3_bind_text(statement, count, "", 0, nil))
        }
        // Remove NUL characters. SQLite would truncate the string at a NUL, which could shorten a message or
        // make two IDs equal.
        if memchr(start, 0, text.count) != nil {
            return Self.withoutNULBytes(text).withUnsafeBufferPointer { bind($0) }
        }
        let size = CInt(clamping: text.count)
        if let kept = texts?.copyText(text) {
            recordFailure(sqlite3_bind_text(statement, count, kept, size, nil))
        } else {
            hasCopiedTexts = true
            start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                recordFailure(sqlite3_bind_text(statement, count, $0, size, Self.copied))
            }
        }
    }

    private mutating func bind(_ bytes: [UInt8]) {
        count += 1
        hasCopiedTexts = true
        recordFailure(
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, count, 0)
                : sqlite3_bind_blob(statement, count, bytes, CInt(clamping: bytes.count), Self.copied))
    }

    private mutating func recordFailure(_ code: CInt) { if failure == SQLITE_OK { failure = code } }

    private static func withoutNULBytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        text.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
    }

    /// The value of the macro SQLITE_TRANSIENT, which Swift cannot import because its definition contains a C
    /// cast.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A buffer for the strings of the current statement of a connection. With this buffer, SQLite need not
/// allocate a copy of each string. The strings are valid until the next statement.
final class BoundTexts {
    /// The size of the buffer in bytes, enough for the strings of a typical event. SQLite copies strings for
    /// which no space is left.
    private static let capacity = 4096
    private let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    private var count = 0

    deinit { bytes.deallocate() }

    func freeAll() { count = 0 }

    /// Copies `text` to the buffer.
    ///
    /// - Returns: the address of the copy; `nil` if the buffer has too little space left, or if `text` has no
    ///   address.
    func copyText(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let start = text.baseAddress, text.count <= Self.capacity - count else { return nil }
        let place = bytes + count
        memcpy(place, start, text.count)
        count += text.count
        return UnsafePointer(place)
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
    mutating func readOptionalAccountID() -> AccountID? { readOptionalInt64().map(AccountID.init(rawValue:)) }

    mutating func readInt64() -> Int64 { readOptionalInt64() ?? 0 }
    mutating func readInt() -> Int { readOptionalInt() ?? 0 }
    mutating func readFlag() -> Bool { readInt64() != 0 }
    mutating func readText() -> String { readOptionalText() ?? "" }
    mutating func readTime() -> Timestamp { Timestamp(milliseconds: readInt64()) }
    mutating func readID<Subject>() -> Identifier<Subject> { Identifier(rawValue: readText()) }
    mutating func readAccountID() -> AccountID { AccountID(rawValue: readInt64()) }
}
