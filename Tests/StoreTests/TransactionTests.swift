import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@testable import Store

struct TransactionTests {
    struct Refusal: Error, Equatable {}

    @Test func `An error in a transaction is rethrown, and the changes are rolled back`() throws {
        let fixture = try StoreFixture()
        #expect(throws: Refusal()) {
            try fixture.store.write {
                try $0.settings.setText(ofSetting: "a", to: "b")
                throw Refusal()
            }
        }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == nil)
    }

    @Test func `A write within a read transaction is rolled back and causes an error`() throws {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) {
            try fixture.store.read { try $0.settings.setText(ofSetting: "a", to: "b") }
        }
        #expect(error.code == .failed)
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == nil)
    }

    @Test @MainActor func `A transaction runs on the caller's thread`() throws {
        let fixture = try StoreFixture()
        var here = 0
        try fixture.store.write { _ in
            MainActor.assertIsolated()
            here += 1
        }
        #expect(here == 1)
    }

    @Test
    func `A lock that is not released in time causes an error, and the store works after the release`()
        throws
    {
        let directory = try TemporaryDirectory()
        let store = try MessageStore.open(directory: directory.path, limits: StoreLimits(busyTimeout: 0.05))
            .store
        let foreign = try ForeignConnection(path: store.path)
        try foreign.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.settings.setText(ofSetting: "a", to: "b") }
        }
        #expect(error?.code == .locked)
        #expect(throws: Never.self) { try store.read { _ = try $0.accounts.fetchAll() } }
        try foreign.execute("ROLLBACK")
        try store.write { try $0.settings.setText(ofSetting: "a", to: "b") }
        #expect(try store.read { try $0.settings.fetchText(ofSetting: "a") } == "b")
    }

    @Test func `A full disk causes a rollback and an error, and later writes succeed`() throws {
        let fixture = try StoreFixture()
        let big = String(repeating: "x", count: 100_000)
        let pages = try fixture.store.read { try $0.fetchCount("PRAGMA page_count") }
        try fixture.store.execute("PRAGMA max_page_count = \(pages + 4)")
        let error = try #require(throws: StoreError.self) {
            try fixture.store.write {
                try $0.settings.setText(ofSetting: "small", to: "1")
                try $0.settings.setText(ofSetting: "big", to: big)
            }
        }
        #expect(error.code == .diskFull)
        #expect(error.description.contains("free disk space"))
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "small") } == nil)
        try fixture.store.execute("PRAGMA max_page_count = 1000000")
        try fixture.store.write { try $0.settings.setText(ofSetting: "big", to: big) }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "big") } == big)
    }

    @Test func `A write to a read-only store throws a specific error`() throws {
        let fixture = try StoreFixture()
        try fixture.store.execute("PRAGMA query_only = ON")
        let error = try #require(throws: StoreError.self) {
            try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: "b") }
        }
        #expect(error.code == .readOnly)
    }

    @Test func `Corruption that is found after startup causes an error, and the file is not moved aside`()
        throws
    {
        let fixture = try StoreFixture()
        let foreign = try fixture.openForeignConnection()
        try foreign.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET rootpage = 100000 WHERE name = 'setting';
            PRAGMA schema_version = 4711;
            """)
        let error = try #require(throws: StoreError.self) {
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") }
        }
        #expect(error.code == .damaged)
        #expect(FileManager.default.fileExists(atPath: fixture.store.path))
    }

    @Test func `A nested transaction terminates the program instead of causing a deadlock`() async {
        await #expect(processExitsWith: .failure) {
            let fixture = try StoreFixture()
            try fixture.store.write { _ in try fixture.store.read { _ in } }
        }
    }

    @Test func `Transactions of several threads run one after the other`() async throws {
        let fixture = try StoreFixture()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [store = fixture.store] in
                    for _ in 0..<200 {
                        try store.write { transaction in
                            let count =
                                try transaction.settings.fetchText(ofSetting: "count").flatMap(Int.init) ?? 0
                            try transaction.settings.setText(ofSetting: "count", to: "\(count + 1)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "count") } == "800")
    }

    @Test func `A transaction throws an error if SQLite itself rolls back the transaction`()
        throws
    {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) {
            try fixture.store.write { transaction in
                try transaction.settings.setText(ofSetting: "a", to: "b")
                try transaction.run("ROLLBACK")
            }
        }
        #expect(error.code == .failed)
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == nil)
    }

    @Test func `The write-ahead log is checkpointed into the database file before the store goes idle`()
        throws
    {
        let fixture = try StoreFixture()
        let copy = fixture.directory.file("copy.db")
        try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: "b") }
        fixture.store.prepareForIdle()
        try FileManager.default.copyItem(atPath: fixture.store.path, toPath: copy)
        let text = try ForeignConnection(path: copy).text("SELECT value FROM setting WHERE key = 'a'")
        #expect(text == "b")
        try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: "c") }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == "c")
    }

    @Test func `The store stays writable after a checkpoint during which another program reads`() throws {
        let fixture = try StoreFixture()
        let foreign = try fixture.openForeignConnection()
        try foreign.execute("BEGIN; SELECT COUNT(*) FROM setting")
        try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: "b") }
        fixture.store.prepareForIdle()
        try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: "c") }
        try foreign.execute("COMMIT")
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == "c")
    }

    @Test func `Using a closed store throws an error`() throws {
        let fixture = try StoreFixture()
        fixture.store.close()
        let error = #expect(throws: StoreError.self) {
            try fixture.store.write { try $0.accounts.fetchAll() }
        }
        #expect(error?.code == .failed)
    }

    @Test func `Database errors with the same code are equal`() {
        let one = StoreError(.locked, path: "/a", detail: "x"),
            other = StoreError(.locked, path: "/b", detail: "y")
        #expect(one == other)
        #expect(one != StoreError(.diskFull, path: "/a", detail: "x"))
    }

    @Test(arguments: StoreError.Code.allCases)
    func `Each database error can be translated`(code: StoreError.Code) {
        let error = StoreError(code, path: "/x/messages.db", detail: "disk I/O error")
        #expect(error.reason.code != nil && error.description == error.reason.english)
        #expect(error.description.contains("/x/messages.db"))
    }
}
