@testable import Store

extension Desk {
    /// While `body` runs, the store cannot change a table in this way: the disk may be full for that alone.
    func failing(_ change: String, of table: String, _ body: () async throws -> Void) async throws {
        try store.write {
            try $0.run(
                "CREATE TRIGGER failing BEFORE \(change) ON \(table) BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        try await body()
        try store.write { try $0.run("DROP TRIGGER failing") }
    }
}
