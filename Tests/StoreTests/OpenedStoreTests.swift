import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@_spi(EventLog) @testable import Store

struct OpenedStoreTests {
    let directory: TemporaryDirectory
    var state: String { directory.file("state/cutied") }
    var file: String { state + "/cutied.db" }

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func others() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: state).filter { !$0.hasPrefix("cutied.db-") }
            .sorted()
    }

    @Test func `Opening the store for the first time creates a private directory and file`() throws {
        let opening = try MessageStore.open(directory: state)
        try opening.store.write { _ = try $0.makeAccount("a") }
        #expect(opening.setAside == nil)
        #expect(try mode(state) == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(try mode(file + suffix) == 0o600, "\(suffix)") }
    }

    @Test func `If other users can access the directory or the file, their access is removed`() throws {
        try MessageStore.open(directory: state).store.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: state)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        _ = try MessageStore.open(directory: state)
        #expect(try mode(state) == 0o700)
        #expect(try mode(file) == 0o600)
    }

    @Test func `Stored data is present after the database is opened again`() throws {
        let first = try MessageStore.open(directory: state).store
        try first.write { try $0.settings.setText(ofSetting: "pause", to: "12") }
        first.close()
        let second = try MessageStore.open(directory: state)
        #expect(second.setAside == nil)
        #expect(try second.store.read { try $0.settings.fetchText(ofSetting: "pause") } == "12")
    }

    @Test func `Using a closed store throws an error instead of crashing the program`() throws {
        let store = try MessageStore.open(directory: state).store
        try store.write { try $0.settings.setText(ofSetting: "pause", to: "12") }
        store.close()
        #expect(throws: StoreError.self) {
            try store.write { try $0.settings.setText(ofSetting: "pause", to: "13") }
        }
        #expect(throws: StoreError.self) { try store.read { try $0.settings.fetchText(ofSetting: "pause") } }
    }

    @Test func `The database uses auto-vacuum and a write-ahead log`() throws {
        let store = try MessageStore.open(directory: state).store
        try store.read { transaction throws in
            #expect(try transaction.fetchCount("PRAGMA auto_vacuum") == 2)
            #expect(try transaction.fetchOne("PRAGMA journal_mode") { $0.readText() } == "wal")
            #expect(try transaction.fetchCount("PRAGMA synchronous") == 1)
        }
    }

    @Test(arguments: ["hello", String(repeating: "garbage ", count: 4096)].map(AbridgedArgument.init))
    func `A file that is not a database is moved aside`(text: AbridgedArgument<String>) throws {
        let garbage = Data(text.value.utf8)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try garbage.write(to: URL(filePath: file))
        let opening = try MessageStore.open(directory: state)
        let setAside = try #require(opening.setAside)
        #expect(setAside.path.hasPrefix(file + ".damaged-"))
        #expect(setAside.path.wholeMatch(of: /.*\.damaged-\d{8}T\d{6}/) != nil)
        #expect(setAside.reason.contains("damaged"))
        #expect(try Data(contentsOf: URL(filePath: setAside.path)) == garbage)
        #expect(try opening.store.read { try $0.accounts.fetchAll() }.isEmpty)
    }

    @Test func `A damaged database is moved aside if the file is truncated`() throws {
        let store = try MessageStore.open(directory: state).store
        let account = try store.write { try $0.makeAccount("a") }
        try store.write { transaction in
            for number in 0..<500 {
                try transaction.messages.insert(
                    .reply("m\(number)"), account: account, stage: .stored, pending: false, at: .at(1))
            }
        }
        store.close()
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.truncate(atOffset: 3 * 4096 + 100)
        try handle.close()
        #expect(try MessageStore.open(directory: state).setAside != nil)
    }

    @Test func `A database with an overwritten page is moved aside`() throws {
        let store = try MessageStore.open(directory: state).store
        try store.write { _ = try $0.makeAccount("a") }
        store.close()
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        for page in 2..<8 {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        }
        try handle.close()
        #expect(try MessageStore.open(directory: state).setAside != nil)
    }

    @Test func `A database with an unreadable full-text index is moved aside`() throws {
        let store = try MessageStore.open(directory: state).store
        try store.write {
            try $0.run("UPDATE message_text_data SET block = x'00FF00FF00FF00FF' WHERE id = 10")
        }
        store.close()
        #expect(try MessageStore.open(directory: state).setAside != nil)
    }

    @Test func `The damage check detects a damaged leaf of the full-text index`() throws {
        let store = try MessageStore.open(directory: state).store
        #expect(try store.quickCheck() == nil)
        try store.write { transaction in
            let account = try transaction.makeAccount("a")
            try transaction.messages.insert(
                .reply("m"), account: account, stage: .stored, pending: false, at: .at(1))
            try transaction.fullText.updateIndex()
        }
        #expect(try store.quickCheck() == nil)
        try store.write { try $0.run("UPDATE message_text_data SET block = x'00' WHERE id > 10") }
        #expect(try store.quickCheck() != nil)
        store.close()
        #expect(try MessageStore.replaceIfDamaged(directory: state) != nil)
        #expect(try MessageStore.replaceIfDamaged(directory: state) == nil)
    }

    @Test func `A database that a newer version created is moved aside unchanged`() throws {
        let store = try MessageStore.open(directory: state).store
        try store.write { try $0.settings.setText(ofSetting: "kept", to: "yes") }
        store.close()
        try ForeignConnection(path: file).execute("INSERT INTO grdb_migrations VALUES ('99-from-the-future')")
        let setAside = try #require(try MessageStore.open(directory: state).setAside)
        #expect(setAside.path.hasPrefix(file + ".newer-"))
        #expect(setAside.reason.contains("newer"))
        let kept = try ForeignConnection(path: setAside.path).text(
            "SELECT value FROM setting WHERE key = 'kept'")
        #expect(kept == "yes")
    }

    @Test func `A database that another program created is moved aside`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try ForeignConnection(path: file).execute("CREATE TABLE account (name TEXT)")
        #expect(try MessageStore.open(directory: state).setAside != nil)
    }

    @Test func `Databases that are moved aside in the same second get different names`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        for _ in 0..<3 {
            try Data("garbage".utf8).write(to: URL(filePath: file))
            try MessageStore.open(directory: state).store.close()
        }
        #expect(try others().count == 4)
    }

    @Test func `The error for a state directory that cannot be created contains its path`() throws {
        try Data().write(to: URL(filePath: directory.file("state")))
        let error = try #require(throws: StoreError.self) { try MessageStore.open(directory: state) }
        #expect(error.code == .cannotOpen)
        #expect(error.description.contains(file))
    }

    @Test func `A directory at the path of the database causes an error and is not changed`() throws {
        try FileManager.default.createDirectory(atPath: file + "/inside", withIntermediateDirectories: true)
        let error = try #require(throws: StoreError.self) { try MessageStore.open(directory: state) }
        #expect(error.code == .cannotOpen)
        #expect(FileManager.default.fileExists(atPath: file + "/inside"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `Opening a store in a read-only state directory fails`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: state)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: state) }
        #expect(throws: StoreError.self) { try MessageStore.open(directory: state) }
    }

    @Test(arguments: ["deleted", "replaced", "its directory deleted"])
    func `Moving, deleting or replacing an open database is reported as corruption`(
        move: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let state = directory.file("state")
        let store = try MessageStore.open(directory: state).store
        defer { store.close() }
        try store.write { try $0.settings.setText(ofSetting: "key", to: "value") }
        switch move {
        case "deleted": try FileManager.default.removeItem(atPath: store.path)
        case "replaced":
            try FileManager.default.copyItem(atPath: store.path, toPath: store.path + ".copy")
            try #require(rename(store.path + ".copy", store.path) == 0)
        default: try FileManager.default.removeItem(atPath: state)
        }
        #expect {
            try store.read { try $0.settings.fetchText(ofSetting: "key") }
        } throws: {
            ($0 as? StoreError)?.code == .moved
        }
        var damage = store.damage.makeAsyncIterator()
        #expect(await damage.next()?.code == .moved)
    }

    @Test func `A file size limit is reported as a full disk, and writes succeed after the limit is raised`()
        async
    {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let directory = try TemporaryDirectory()
            let store = try MessageStore.open(directory: directory.path).store
            let large = String(repeating: "x", count: 1 << 20)
            var limit = rlimit(rlim_cur: 300_000, rlim_max: .max)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect {
                try store.write { try $0.settings.setText(ofSetting: "key", to: large) }
            } throws: {
                ($0 as? StoreError)?.code == .diskFull
            }
            limit.rlim_cur = .max
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(try store.read { try $0.settings.fetchText(ofSetting: "key") } == nil)
            try store.write { try $0.settings.setText(ofSetting: "key", to: large) }
            #expect(try store.read { try $0.settings.fetchText(ofSetting: "key") } == large)
        }
    }

    @Test func `A database locked by another program is reported as locked`() throws {
        try MessageStore.open(directory: state).store.close()
        let foreign = try ForeignConnection(path: file)
        try foreign.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        let error = try #require(throws: StoreError.self) {
            try MessageStore.open(directory: state, limits: StoreLimits(busyTimeout: 0.05))
        }
        #expect(error.code == .locked)
        #expect(try others() == ["cutied.db"])
    }
}
