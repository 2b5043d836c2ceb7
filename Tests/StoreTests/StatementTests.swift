import CutieAPI
import Reasons
import Testing

@testable import Store

@Suite struct StatementTests {
    @Test func `A missing parameter of a statement causes an error and is not stored as NULL`() throws {
        let fixture = try StoreFixture()
        #expect(throws: StoreError.self) {
            try fixture.store.write {
                try $0.run("INSERT INTO setting (key, value) VALUES (?, ?)", ["a".stored])
            }
        }
        #expect(try fixture.store.read { try $0.fetchCount("SELECT COUNT(*) FROM setting") } == 0)
    }

    @Test func `An empty string is not stored as NULL`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.run("INSERT INTO setting (key, value) VALUES (?, ?)", ["a".stored, "".stored])
        }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == "")
    }

    @Test func `A string longer than a database page is read completely`() throws {
        let fixture = try StoreFixture()
        let text = String(repeating: "ä\u{1F600}", count: 100_000)
        try fixture.store.write { try $0.settings.setText(ofSetting: "a", to: text) }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "a") } == text)
    }

    @Test(arguments: [1000, 3000, 5000])
    func `If a statement returns several long strings, each string is read completely`(length: Int) throws {
        let fixture = try StoreFixture()
        let texts = ["a", "b", "c"].map { String(repeating: $0, count: length) }
        let read = try fixture.store.write {
            try $0.fetchOne(
                "SELECT ?, ?, ?", binding: { binder in for text in texts { binder.bind(text) } }
            ) { [$0.readText(), $0.readText(), $0.readText()] }
        }
        #expect(read == texts)
    }

    @Test func `The string parameters of a row query are preserved while nested queries run`() throws {
        let fixture = try StoreFixture()
        let keys = ["a", "b", "c", "d"]
        var read: [String] = []
        try fixture.store.write { transaction in
            for key in keys { try transaction.settings.setText(ofSetting: key, to: "x") }
            try transaction.forEachRow(
                "SELECT key FROM setting WHERE key <> ?", ["c".stored], decoding: { $0.readText() },
                perform: { key in
                    read.append(key)
                    // The nested query uses the same text buffer, but must not overwrite the parameters of
                    // the outer query.
                    _ = try transaction.settings.fetchText(ofSetting: "zz")
                    return true
                })
        }
        #expect(read == ["a", "b", "d"])
    }

    @Test func `A NUL in a value is replaced, and the text after it is preserved`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { try $0.settings.setText(ofSetting: "a\0b", to: "one\0two") }
        #expect(
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "a\u{FFFD}b") } == "one\u{FFFD}two")
    }

    @Test func `The error for a failed statement contains the message from SQLite`() throws {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) {
            try fixture.store.write { try $0.run("INSERT INTO nowhere VALUES (1)") }
        }
        #expect(error.description.contains("no such table: nowhere"))
    }

    @Test func `A statement that failed can be executed again`() throws {
        let fixture = try StoreFixture()
        let insert = "INSERT INTO setting (key, value) VALUES (?, ?)"
        try fixture.store.write { try $0.run(insert, ["a".stored, "1".stored]) }
        #expect(throws: StoreError.self) {
            try fixture.store.write { try $0.run(insert, ["a".stored, "2".stored]) }
        }
        try fixture.store.write { try $0.run(insert, ["b".stored, "3".stored]) }
        #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "b") } == "3")
    }
}
