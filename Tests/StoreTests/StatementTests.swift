import CutieAPI
import Testing

@testable import Store

@Suite struct StatementTests {
    @Test func `A value too few is an error and not a NULL`() throws {
        let fixture = try StoreFixture()
        #expect(throws: StoreError.self) {
            try fixture.store.write {
                try $0.run("INSERT INTO setting (key, value) VALUES (?, ?)", ["a".stored])
            }
        }
        #expect(try fixture.store.read { try $0.count("SELECT COUNT(*) FROM setting") } == 0)
    }

    @Test func `An empty text is no NULL`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.run("INSERT INTO setting (key, value) VALUES (?, ?)", ["a".stored, "".stored])
        }
        #expect(try fixture.store.read { try $0.settings.text("a") } == "")
    }

    @Test func `A text of more than a page comes back whole`() throws {
        let fixture = try StoreFixture()
        let text = String(repeating: "ä\u{1F600}", count: 100_000)
        try fixture.store.write { try $0.settings.setText("a", to: text) }
        #expect(try fixture.store.read { try $0.settings.text("a") } == text)
    }

    @Test func `What SQLite says of a statement is told`() throws {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) {
            try fixture.store.write { try $0.run("INSERT INTO nowhere VALUES (1)") }
        }
        #expect(error.sentence.contains("no such table: nowhere"))
    }

    @Test func `A statement that failed can be used again`() throws {
        let fixture = try StoreFixture()
        let insert = "INSERT INTO setting (key, value) VALUES (?, ?)"
        try fixture.store.write { try $0.run(insert, ["a".stored, "1".stored]) }
        #expect(throws: StoreError.self) {
            try fixture.store.write { try $0.run(insert, ["a".stored, "2".stored]) }
        }
        try fixture.store.write { try $0.run(insert, ["b".stored, "3".stored]) }
        #expect(try fixture.store.read { try $0.settings.text("b") } == "3")
    }
}
