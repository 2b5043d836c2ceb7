import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@_spi(Accounts) @_spi(EventLog) @testable import Store

/// Tests that pending messages survive the loss of a damaged database.
struct UnsentItemsTests {
    private let directory: TemporaryDirectory
    private var state: String { directory.file("state") }
    private var file: String { state + "/cutied.db" }

    init() throws { directory = try TemporaryDirectory() }

    private static let key = "6e0a5f5c-6a51-4c7b-9d0f-3f8a5a2f4a1"

    private func item(
        _ number: Int, _ account: AccountID, _ state: OutboxRecord.State = .waiting
    ) -> OutboxRecord {
        OutboxRecord(
            id: Self.key + "\(number)", account: account, conversation: "c1", kind: "message",
            payload: #"{"message":"\#(number)"}"#, idempotencyKey: Self.key + "\(number)", state: state,
            attempts: 2, error: state == .failed ? .text("refused") : nil, isReported: state != .failed,
            createdAt: .at(Int64(number)), nextAttemptAt: .at(1_000_000))
    }

    /// Creates a database with messages and an outbox, runs `prepare`, and closes the database.
    private func makeDatabase(_ prepare: (Transaction) throws -> Void = { _ in }) throws {
        let store = try MessageStore.open(directory: state).store
        try store.write { transaction in
            _ = try transaction.makeAccount("another")
            let account = try transaction.makeAccount("mine")
            try transaction.outbox.append(item(1, account))
            try transaction.outbox.append(item(2, account, .sending))
            try transaction.outbox.append(item(3, account, .failed))
            for number in 0..<300 {
                let text = String(repeating: "word ", count: 100)
                try transaction.messages.insert(
                    .reply("m\(number)", text), account: account, stage: .stored, pending: false, at: .at(1))
            }
            try prepare(transaction)
        }
        store.close()
    }

    /// Overwrites the root page of a table, which simulates a failing disk.
    private func overwrite(_ table: String) throws {
        let page = try ForeignConnection(path: file).integer(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", [table])
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.seek(toOffset: UInt64((try #require(page) - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try handle.close()
    }

    /// Overwrites an overflow page of a text that repeats `word`.
    private func overwriteOverflowPage(of word: String) throws {
        let text = Data(String(repeating: word, count: 4000 / word.utf8.count).utf8)
        let place = try #require(try Data(contentsOf: URL(filePath: file)).firstRange(of: text)).lowerBound
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        // The page after next is an overflow page of the text. It contains the number of the next page (4
        // bytes) and text.
        try handle.seek(toOffset: UInt64((place / 4096 + 2) * 4096))
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try handle.close()
    }

    private func reopen() throws -> (setAside: SetAsideDatabase, outbox: [OutboxRecord], unread: String?) {
        let opening = try MessageStore.open(directory: state)
        defer { opening.store.close() }
        return try opening.store.read {
            (
                try #require(opening.setAside), try $0.outbox.fetchItems(),
                try $0.settings.fetchText(ofSetting: MessageStore.unreadOutbox)
            )
        }
    }

    @Test func `Pending messages are moved to the new database in order, with their idempotency keys`()
        throws
    {
        try makeDatabase()
        try overwrite("message")
        let (setAside, outbox, unread) = try reopen()
        #expect(outbox.map(\.id) == (1...3).map { Self.key + "\($0)" })
        #expect(outbox.map(\.idempotencyKey) == outbox.map(\.id))
        #expect(outbox.map(\.payload) == (1...3).map { #"{"message":"\#($0)"}"# })
        #expect(outbox.map(\.state) == [.waiting, .waiting, .failed])
        #expect(
            outbox.map(\.isReported) == [true, true, false]
                && outbox.map(\.error) == [nil, nil, .text("refused")])
        // Any of these messages may have been sent after the last write to the damaged file.
        #expect(outbox.allSatisfy { $0.isAmbiguous && $0.nextAttemptAt == nil && $0.attempts == 2 })
        #expect(unread == nil)
        #expect(setAside.reason.hasSuffix("; its unsent messages were copied (3)"))
    }

    @Test func `Pending messages that are moved keep their account and device`() throws {
        try makeDatabase()
        try overwrite("conversation")
        let opening = try MessageStore.open(directory: state)
        let account = try opening.store.write { transaction in
            // The account may have another row ID in the new database.
            try transaction.accounts.findOrCreate(name: "mine", appID: "app_x", apiURL: "https://api.example")
            {
                "device_new"
            }
        }
        #expect(account.deviceID == "device_mine")
        #expect(try opening.store.read { try $0.outbox.fetchItems(of: account.id) }.count == 3)
    }

    @Test func `Pending messages are moved from a database version without account kinds`() throws {
        let former = try FormerDatabase("8-sent", in: state)
        for number in 1...3 { try former.insertOutboxItem(Self.key + "\(number)") }
        former.close()
        try overwrite("message")
        let (_, outbox, unread) = try reopen()
        #expect(outbox.map(\.id) == (1...3).map { Self.key + "\($0)" } && unread == nil)
    }

    @Test func `Pending messages of accounts without a device are also moved to the new database`() throws {
        try makeDatabase { transaction in
            let staff = try transaction.accounts.findOrCreate(
                name: "staff", appID: "", apiURL: "https://api.example", kind: .staff
            ) { nil }
            try transaction.outbox.append(item(4, staff.id))
        }
        try overwrite("message")
        let opening = try MessageStore.open(directory: state)
        let (accounts, outbox) = try opening.store.read {
            (try $0.accounts.fetchAll(), try $0.outbox.fetchItems())
        }
        #expect(outbox.count == 4)
        let staff = try #require(accounts.first { $0.name == "staff" })
        #expect(staff.kind == .staff && staff.deviceID == nil && outbox.last?.account == staff.id)
    }

    @Test func `Pending messages are recovered from a truncated database`() throws {
        try makeDatabase()
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.truncate(atOffset: try handle.seekToEnd() / 2)
        try handle.close()
        #expect(try reopen().outbox.count == 3)
    }

    @Test func `Pending messages are recovered from databases that are newer or damaged`() throws {
        try makeDatabase { try $0.run("INSERT INTO grdb_migrations VALUES ('99-from-the-future')") }
        #expect(try reopen().outbox.count == 3)
        try overwrite("ledger")
        #expect(try MessageStore.replaceIfDamaged(directory: state) != nil)
        let opening = try MessageStore.open(directory: state)
        #expect(try opening.setAside == nil && opening.store.read { try $0.outbox.fetchItems() }.count == 3)
    }

    @Test(arguments: ["outbox", "account"])
    func `The path of the damaged database is stored if pending messages are unreadable`(
        _ table: String
    ) throws {
        try makeDatabase()
        try overwrite(table)
        let (setAside, outbox, unread) = try reopen()
        #expect(outbox.isEmpty && unread == setAside.path)
        #expect(setAside.reason.hasSuffix("; other unsent messages may not be readable"))
    }

    @Test func `An unreadable pending message does not prevent the other messages from being moved`() throws {
        try makeDatabase { transaction in
            let account = try transaction.makeAccount("mine")
            var long = item(4, account)
            long.payload = String(repeating: "long", count: 10_000)
            try transaction.outbox.append(long)
            try transaction.outbox.append(item(5, account))
        }
        try overwriteOverflowPage(of: "long")
        let (setAside, outbox, unread) = try reopen()
        #expect(outbox.map(\.id) == [1, 2, 3, 5].map { Self.key + "\($0)" })
        #expect(unread == setAside.path)
        #expect(setAside.reason.hasSuffix("(4); other unsent messages may not be readable"))
    }

    @Test func `A pending message with an unreadable reason is moved without the reason`() throws {
        let filler = "filler "
        try makeDatabase { transaction in
            let failed = item(4, try transaction.makeAccount("mine"), .failed)
            try transaction.outbox.append(failed)
            try transaction.run(
                "UPDATE outbox SET reason = ? WHERE id = ?",
                [String(repeating: filler, count: 6000).stored, failed.id.stored])
        }
        try overwriteOverflowPage(of: filler)
        let (_, outbox, unread) = try reopen()
        #expect(outbox.map(\.id) == (1...4).map { Self.key + "\($0)" })
        #expect(outbox.last?.error == .text("refused") && unread == nil)
    }

    @Test func `Outbox rows with invalid values are not moved to the new database`() throws {
        try makeDatabase { transaction in
            let account = try transaction.makeAccount("strange")
            try transaction.run(
                "UPDATE account SET device_id = 'device_1\r\ny' WHERE id = ?", [account.stored])
            try transaction.outbox.append(item(4, account))
            let first = Self.key + "1"
            try transaction.run("UPDATE outbox SET idempotency_key = 'a\r\nb' WHERE id = ?", [first.stored])
        }
        try overwrite("message")
        let (setAside, outbox, unread) = try reopen()
        #expect(outbox.map(\.id) == [Self.key + "2", Self.key + "3"])
        #expect(unread == setAside.path)
    }

    @Test func `At most 1000 pending messages are moved to the new database`() throws {
        try makeDatabase { transaction in
            try transaction.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                INSERT INTO outbox (id, account, kind, payload, idempotency_key, state, attempts, ambiguous,
                told, created_at) SELECT printf('6e0a5f5c-6a51-4c7b-9d0f-%012d', i), 1, 'message', '{}',
                printf('6e0a5f5c-6a51-4c7b-9d0f-%012d', i), 'waiting', 0, 0, 1, 1 FROM n
                """)
        }
        try overwrite("message")
        let (_, outbox, unread) = try reopen()
        #expect(outbox.count == 1000 && unread != nil)
    }

    @Test func `Reading pending messages does not change the damaged database`() throws {
        try makeDatabase()
        try overwrite("message")
        let before = try Data(contentsOf: URL(filePath: file))
        _ = UnsentItems(in: file)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["cutied.db"])
    }
}
