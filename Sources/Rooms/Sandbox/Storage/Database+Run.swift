import GRDB

/// Statements that come again and again are compiled once: that is most of the time of a small one.
extension Database {
    func run(sql: String, arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(sql: String, arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }

    func number(sql: String, arguments: StatementArguments = []) throws -> Int64? {
        try Int64.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
    }
}
