import TestSupport
import Testing

/// By a program that is not ours.
func execute(_ sql: String, in file: String) async throws {
    let script = """
        import sqlite3, sys
        sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])
        """
    #expect(try await ChildProcess("/usr/bin/python3", ["-c", script, file, sql]).exit() == 0)
}
