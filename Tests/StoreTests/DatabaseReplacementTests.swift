import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@_spi(Accounts) @testable import Store

/// Tests in which the replacement of a damaged database is interrupted.
struct DatabaseReplacementTests {
    private let directory: TemporaryDirectory
    private var files: StateFiles { StateFiles(directory: directory.file("state")) }
    private static let key = "6e0a5f5c-6a51-4c7b-9d0f-3f8a5a2f4a11"
    private static let error = Reason(
        .reasonOfHost, ["host": "api.example.org"], because: Reason(.apiSilent))

    /// Creates a database with pending messages and damages it. The damage is detected when the database is
    /// opened again.
    init() throws {
        directory = try TemporaryDirectory()
        let store = try MessageStore.open(directory: files.directory).store
        try store.write { transaction in
            let words = String(repeating: "word ", count: 10_000)
            try transaction.outbox.append(
                OutboxRecord(
                    id: Self.key, account: try transaction.makeAccount("mine"), conversation: "c1",
                    kind: "message", payload: words, idempotencyKey: Self.key, error: Self.error,
                    createdAt: .at(1)))
            try transaction.run("UPDATE message_text_data SET block = x'00FF00FF00FF00FF' WHERE id = 10")
        }
        store.close()
    }

    /// The step at which the process is killed while it opens the database.
    enum KillPoint: CaseIterable { case drafting, whole, companionsAside, aside }

    /// Leaves the files that remain if a process is killed while it opens the database. Returns the path of
    /// the damaged database.
    private func leaveFilesOfKilledProcess(_ killPoint: KillPoint) throws -> String {
        let replacement = DatabaseReplacement(of: files, verdict: .damaged("as a test"))
        for suffix in ["", "-journal", "-wal", "-shm"] {
            try Data("half of it".utf8).write(to: URL(filePath: files.database + ".draft" + suffix))
        }
        if killPoint == .drafting { return replacement.path }
        _ = try replacement.buildReplacement(limits: StoreLimits())
        if killPoint == .companionsAside {
            try Data("of the former".utf8).write(to: URL(filePath: replacement.path + "-wal"))
        }
        if killPoint == .aside { try files.setDatabaseAside(to: replacement.path) }
        return replacement.path
    }

    @Test(arguments: KillPoint.allCases)
    func `No pending message is lost or duplicated if the process is killed during a database replacement`(
        _ killPoint: KillPoint
    ) throws {
        let path = try leaveFilesOfKilledProcess(killPoint)
        let opening = try MessageStore.open(directory: files.directory)
        let setAside = try #require(opening.setAside)
        #expect(killPoint == .drafting || setAside.path == path)
        let waiting = try opening.store.read { try $0.outbox.fetchItems() }
        #expect(waiting.map(\.idempotencyKey) == [Self.key] && waiting.allSatisfy(\.isAmbiguous))
        #expect(waiting.map(\.error) == [Self.error])
        try opening.store.write { _ = try $0.outbox.remove(Self.key) }
        opening.store.close()
        let next = try MessageStore.open(directory: files.directory)
        #expect(try next.setAside == nil && next.store.read { try $0.outbox.fetchItems() }.isEmpty)
        next.store.close()
        let kept = [setAside.path] + (killPoint == .companionsAside ? [path + "-wal"] : [])
        #expect(try Set(files.findRelatedFiles()) == Set(kept))
    }

    @Test func `A pending message that was stored without a reason code keeps its error message`() throws {
        try ForeignConnection(path: files.database).execute("ALTER TABLE outbox DROP COLUMN reason")
        let opening = try MessageStore.open(directory: files.directory)
        #expect(opening.setAside != nil)
        let waiting = try opening.store.read { try $0.outbox.fetchItems() }
        #expect(waiting.map(\.error) == [.text(Self.error.english)])
    }

    @Test(arguments: KillPoint.allCases)
    func `Unreadable pending messages are reported even if the process is killed`(_ killPoint: KillPoint)
        throws
    {
        try ForeignConnection(path: files.database).execute("UPDATE account SET device_id = 'rubbish'")
        _ = try leaveFilesOfKilledProcess(killPoint)
        let opening = try MessageStore.open(directory: files.directory)
        let unread = try opening.store.read {
            try $0.settings.fetchText(ofSetting: MessageStore.unreadOutbox)
        }
        #expect(try #require(opening.setAside).path == unread)
    }

    @Test func `On a full disk, the recovery of pending messages fails and is repeated on the next launch`()
        throws
    {
        let store = try MessageStore.open(directory: directory.file("small")).store
        try store.read { _ = try $0.fetchCount("PRAGMA max_page_count = 1") }
        let error = try #require(throws: StoreError.self) {
            try UnsentItems(in: files.database).moveRows(to: store, from: "kept")
        }
        #expect(error.code == .diskFull)
        #expect(try store.read { try $0.settings.fetchText(ofSetting: MessageStore.unreadOutbox) } == nil)
    }

    @Test
    func `If pending messages cannot be copied to the new database, the path of the old database is stored`()
        throws
    {
        let store = try MessageStore.open(directory: directory.file("strict")).store
        try store.write {
            try $0.run("CREATE TRIGGER no BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        let sentence = try UnsentItems(in: files.database).moveRows(to: store, from: "kept")
        #expect(sentence.hasPrefix("; its unsent messages could not be copied"))
        #expect(try store.read { try $0.settings.fetchText(ofSetting: MessageStore.unreadOutbox) } == "kept")
    }
}
