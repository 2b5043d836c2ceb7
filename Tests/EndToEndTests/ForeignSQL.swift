import TestSupport
import Testing

/// Executes an SQL statement in Python, independently of the store module.
func execute(_ sql: String, in file: String) async throws {
    let script = """
        import sqlite3, sys
        sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])
        """
    #expect(try await ChildProcess("/usr/bin/python3", ["-c", script, file, sql]).waitForExit() == 0)
}

/// Overwrites the root page of a table, which simulates a failing disk.
func overwrite(_ table: String, in file: String) async throws {
    try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: file)
    let script = """
        import sqlite3, sys
        find = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        page = sqlite3.connect(sys.argv[1]).execute(find, [sys.argv[2]]).fetchone()[0]
        with open(sys.argv[1], "r+b") as database:
            database.seek((page - 1) * 4096)
            database.write(b"Z" * 4096)
        """
    #expect(try await ChildProcess("/usr/bin/python3", ["-c", script, file, table]).waitForExit() == 0)
}
