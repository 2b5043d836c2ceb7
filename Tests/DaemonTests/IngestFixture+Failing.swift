import Foundation
import TestSupport

@testable import Store

extension IngestFixture {
    /// Makes every `change` (`INSERT`, `UPDATE` or `DELETE`) of `table` fail while `body` runs, as if the
    /// disk were full.
    func runWithFailing(_ change: String, of table: String, _ body: () async throws -> Void) async throws {
        try store.write {
            try $0.run(
                "CREATE TRIGGER failing BEFORE \(change) ON \(table) BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        try await body()
        try store.write { try $0.run("DROP TRIGGER failing") }
    }

    /// Locks the database with another connection's write transaction while `body` runs.
    func runWithLockedDatabase(_ body: () async throws -> Void) async throws {
        let otherStore = try MessageStore.open(directory: directory.path).store
        let (isLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        Thread.detachNewThread {
            try? otherStore.write { _ in
                isLocked.signal()
                mayEnd.wait()
            }
            end.finish()
        }
        isLocked.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        mayEnd.signal()
        for await _ in ended {}
        try result.get()
    }
}
