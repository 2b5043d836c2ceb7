import Foundation
import TestSupport

@testable import Store

extension IngestFixture {
    /// Makes every `change` of `table` (`INSERT`, `UPDATE` or `DELETE`) fail while `body` runs, as on a full
    /// disk.
    func failing(_ change: String, of table: String, _ body: () async throws -> Void) async throws {
        try store.write {
            try $0.run(
                "CREATE TRIGGER failing BEFORE \(change) ON \(table) BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        try await body()
        try store.write { try $0.run("DROP TRIGGER failing") }
    }

    /// Holds a write transaction of another program while `body` runs. Ends the transaction before returning.
    func locked(_ body: () async throws -> Void) async throws {
        let stranger = try MessageStore.open(directory: directory.path).store
        let (isLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        Thread.detachNewThread {
            try? stranger.write { _ in
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
