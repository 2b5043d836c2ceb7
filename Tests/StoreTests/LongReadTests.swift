import CutieAPI
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @testable import Store

struct LongReadTests {
    /// A query that takes minutes.
    private static let endless = """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 1000000000)
        SELECT COUNT(*) FROM number
        """

    @Test func `The store can be used during a long read, which sees a snapshot`()
        async throws
    {
        let fixture = try StoreFixture()
        let (begun, mayEnd) = (Gate.Asynchronous(), Gate())
        async let long = fixture.store.runLongRead { transaction in
            let before = try transaction.log.fetchLastSequence()
            begun.open()
            mayEnd.wait()
            return try (before, transaction.log.fetchEntries(after: before, limit: 9).count)
        }
        await begun.wait()
        let written = try fixture.store.write { try $0.log.append(.badge, at: .at(1)) }
        #expect(try fixture.store.read { try $0.log.fetchLastSequence() } == written)
        mayEnd.open()
        #expect(try await long == (written - 1, 0))
    }

    @Test func `A long read fails at its time limit, and a later read succeeds`() async throws {
        let fixture = try StoreFixture()
        let error = await #expect(throws: StoreError.self) {
            try await fixture.store.runLongRead(cpuTimeLimit: .milliseconds(20)) {
                try $0.fetchCount(Self.endless)
            }
        }
        #expect(error?.code == .timedOut)
        #expect(try await fixture.store.runLongRead { try $0.accounts.fetchAll().count } == 1)
    }

    @Test func `A long read ends when the task of the caller is cancelled`() async throws {
        let fixture = try StoreFixture()
        let begun = Gate.Asynchronous()
        let reading = Task {
            try await fixture.store.runLongRead(cpuTimeLimit: .seconds(600)) {
                begun.open()
                return try $0.fetchCount(Self.endless)
            }
        }
        await begun.wait()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `A write within a long read fails`() async throws {
        let fixture = try StoreFixture()
        let error = await #expect(throws: StoreError.self) {
            try await fixture.store.runLongRead { try $0.log.append(.badge, at: .at(1)) }
        }
        #expect(error?.code == .readOnly)
    }

    @Test func `A long read of a closed store causes an error`() async throws {
        let fixture = try StoreFixture()
        fixture.store.close()
        await #expect(throws: StoreError.self) { try await fixture.store.runLongRead { _ in } }
    }
}
