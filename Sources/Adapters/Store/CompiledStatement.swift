internal import GRDB
internal import GRDBSQLite

/// A statement that is compiled once for the life of its connection. GRDB's own takes longer to bind values and
/// to look at what came of it than SQLite takes to run most of ours.
struct CompiledStatement {
    private let handle: SQLiteStatement

    init(_ handle: SQLiteStatement) { self.handle = handle }

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

    private func bind(_ values: Values) throws {
        // One that is left out would be NULL, without a word.
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "another number of values than wanted")
        }
        for (index, value) in values.enumerated() { try check(bind(value, at: CInt(index + 1))) }
    }

    private func bind(_ value: StoredValue?, at index: CInt) -> CInt {
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .text(let text): bind(text, at: index)
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

    /// SQLITE_TRANSIENT, which C writes as a cast.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Whether it stands at a row now.
    private func step() throws -> Bool {
        let code = sqlite3_step(handle)
        guard code != SQLITE_ROW else { return true }
        guard code != SQLITE_DONE else { return false }
        try check(code)
        return false
    }

    private func check(_ code: CInt) throws {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) })
    }

    /// One that stayed amid its rows would keep up the state of the database that it saw, and its values
    /// their memory.
    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
