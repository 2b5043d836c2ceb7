import CSQLite

/// A database connection that simulates another program. It uses SQLite directly and shares no code with
/// `Store`.
final class ForeignConnection {
    /// The connection; `nil` after `close`.
    private var handle: OpaquePointer?

    init(path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        self.handle = handle
        try check(code)
    }

    deinit { close() }

    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Executes all statements in `sql`. The statements have no parameters.
    func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Executes a single statement with the parameters `values`. Ignores the returned rows.
    func execute(_ sql: String, _ values: [(any SQLValue)?]) throws {
        try withStatement(sql, values) { while try step($0) {} }
    }

    /// Returns the first column of the first row; `nil` if there is no row, or if the column is NULL.
    func integer(_ sql: String, _ values: [(any SQLValue)?] = []) throws -> Int64? {
        try withStatement(sql, values) { statement in
            guard try step(statement), sqlite3_column_type(statement, 0) != SQLITE_NULL else { return nil }
            return sqlite3_column_int64(statement, 0)
        }
    }

    /// Returns the first column of the first row; `nil` if there is no row, or if the column is NULL.
    func text(_ sql: String, _ values: [(any SQLValue)?] = []) throws -> String? {
        try withStatement(sql, values) { statement in
            guard try step(statement), let text = sqlite3_column_text(statement, 0) else { return nil }
            return String(cString: text)
        }
    }

    private func withStatement<Result>(
        _ sql: String, _ values: [(any SQLValue)?], _ body: (OpaquePointer?) throws -> Result
    ) throws -> Result {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        for (position, value) in zip(Int32(1)..., values) {
            try check(value?.bind(to: statement, at: position) ?? sqlite3_bind_null(statement, position))
        }
        return try body(statement)
    }

    /// Executes one step of the statement. Returns whether the step returned a row.
    private func step(_ statement: OpaquePointer?) throws -> Bool {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
        return code == SQLITE_ROW
    }

    private func check(_ code: Int32) throws { guard code == SQLITE_OK else { throw failure(code) } }

    private func failure(_ code: Int32) -> Failure {
        Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }

    struct Failure: Error {
        let code: Int32
        let message: String
    }
}

/// A parameter value of a statement. `bind` returns a SQLite result code.
protocol SQLValue {
    func bind(to statement: OpaquePointer?, at position: Int32) -> Int32
}

extension String: SQLValue {
    func bind(to statement: OpaquePointer?, at position: Int32) -> Int32 {
        // The constant SQLITE_TRANSIENT, which Swift does not import. It makes SQLite copy the text.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return sqlite3_bind_text(statement, position, self, -1, copied)
    }
}

extension Int: SQLValue {
    func bind(to statement: OpaquePointer?, at position: Int32) -> Int32 {
        sqlite3_bind_int64(statement, position, Int64(self))
    }
}

extension Int64: SQLValue {
    func bind(to statement: OpaquePointer?, at position: Int32) -> Int32 {
        sqlite3_bind_int64(statement, position, self)
    }
}

extension Bool: SQLValue {
    func bind(to statement: OpaquePointer?, at position: Int32) -> Int32 {
        sqlite3_bind_int(statement, position, self ? 1 : 0)
    }
}
