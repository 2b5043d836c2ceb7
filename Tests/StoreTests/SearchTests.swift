import CutieAPI
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @testable import Store

struct SearchTests {
    private func store(_ texts: [String]) throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.store.write {
            for (number, text) in texts.enumerated() {
                try $0.messages.insert(
                    .reply("m\(number)", text, at: Int64(number)), account: fixture.account, stage: .stored,
                    pending: false, at: .at(1))
            }
        }
        return fixture
    }

    private func found(_ words: String, in fixture: StoreFixture) async throws -> [Message.ID] {
        guard let query = SearchQuery(words) else { return [] }
        return try await fixture.store.search(query, limit: 50).map(\.message.id)
    }

    @Test(arguments: [
        ("crash", ["m0"]), ("crashes app", ["m0"]), ("CRASHES", ["m0"]), ("zurich", ["m1"]),
        ("Zürich", ["m1"]), ("app crash", ["m0"]),
        ("crash app", []), ("cra app", []), ("zur", ["m1"]), ("rash", []), ("app zurich", []),
        ("foo-bar", ["m2"]), ("don't", ["m2"]),
    ])
    func `A search requires all words, and the last word may be a prefix`(words: String, ids: [String])
        async throws
    {
        let fixture = try store(["The app crashes", "Grüße aus Zürich", "foo-bar, don't"])
        #expect(try await found(words, in: fixture) == ids.map { Message.ID($0) })
    }

    @Test(
        arguments: [
            "\"", "\"\"", "*", "NEAR(", "NEAR(a b, 3)", "a AND", "OR", "NOT x", "text:app", "{text}: app",
            "^app", "(", ")", "-app",
            "🎉", "", " \n\t", "a\0b", "\0", "a\" OR \"b", "+", "app +", "\u{FEFF}",
            String(repeating: "x ", count: 5000),
            String(repeating: "\"", count: 1000),
        ].map(AbridgedArgument.init))
    func `Search words are never interpreted as query syntax`(words: AbridgedArgument<String>) async throws {
        let fixture = try store(["The app"])
        await #expect(throws: Never.self) { try await found(words.value, in: fixture) }
    }

    @Test(arguments: ["", "  ", "\"", "*", "()"])
    func `A search that consists only of punctuation finds nothing`(words: String) async throws {
        #expect(try await found(words, in: store(["The app \" * ()"])).isEmpty)
    }

    @Test func `Punctuation between words does not prevent a match, and an emoji counts as a word`()
        async throws
    {
        let fixture = try store(["The app crashes"])
        #expect(try await found("app + crashes", in: fixture) == ["m0"])
        #expect(try await found("app 🎉 crashes", in: fixture).isEmpty)
    }

    @Test func `The best match is first, and equal matches are sorted from newest to oldest`() async throws {
        let fixture = try store(["apple pear pear pear pear", "apple", "apple"])
        #expect(try await found("apple", in: fixture) == ["m2", "m1", "m0"])
    }

    @Test func `A search can be limited to an account and to a maximum number of results`() async throws {
        let fixture = try store(["apple", "apple", "apple"])
        let other = try fixture.store.write { transaction in
            let other = try transaction.makeAccount("other")
            try transaction.messages.insert(
                .reply("o", "apple"), account: other, stage: .stored, pending: false, at: .at(1))
            return other
        }
        let apple = try #require(SearchQuery("apple"))
        #expect(try await fixture.store.search(apple, limit: 2).count == 2)
        #expect(try await fixture.store.search(apple, account: other, limit: 9).map(\.message.id) == ["o"])
    }

    @Test
    func `Messages that are inserted between two searches are found, even after many index batches`()
        async throws
    {
        let fixture = try store((0..<600).map { "number n\($0)" })
        #expect(try await found("n599", in: fixture) == ["m599"])
        try fixture.store.write {
            try $0.messages.insert(
                .reply("new", "n600"), account: fixture.account, stage: .stored, pending: false, at: .at(1))
        }
        #expect(try await found("n600", in: fixture) == ["new"])
        #expect(try await fixture.store.search(#require(SearchQuery("number")), limit: 1000).count == 600)
    }

    @Test func `On a read-only database, messages that are already indexed are found`()
        async throws
    {
        let fixture = try store(["the first"])
        #expect(try await found("first", in: fixture) == ["m0"])
        try fixture.store.write {
            try $0.messages.insert(
                .reply("m1", "the second", at: 1), account: fixture.account, stage: .stored, pending: false,
                at: .at(1))
            try $0.run("PRAGMA query_only = 1")
        }
        #expect(try await found("first", in: fixture) == ["m0"])
    }

    @Test func `The newest matches are first if there are too many matches to rank`() async throws {
        let fixture = try store((0..<SearchMatches.rankedMatches + 100).map { "number n\($0) number" })
        let found = try await fixture.store.search(#require(SearchQuery("number")), limit: 3).map(
            \.message.id)
        #expect(found == ["m2099", "m2098", "m2097"])
        let older = try await fixture.store.search(#require(SearchQuery("number n7")), limit: 3000)
        #expect(older.contains { $0.message.id == "m7" })
    }

    @Test func `Older messages are indexed in slices, newest first, while messages are added and removed`()
        async throws
    {
        let fixture = try store((0..<1000).map { "number n\($0)" })
        try fixture.store.write {
            try $0.run("INSERT INTO message_text (message_text) VALUES ('delete-all')")
        }
        #expect(try await found("n999", in: fixture) == ["m999"])
        #expect(try await found("n3 number", in: fixture).isEmpty)
        #expect(try fixture.store.fetchIndexedPercentage() == 25)
        #expect(try await fixture.store.indexHistorySlice(rowLimit: 100))
        // A pruned message that is not indexed yet must not be removed from the index.
        try fixture.store.write { transaction in
            for row: Int64 in [1, 900] { try transaction.fullText.remove(row: row) }
            try transaction.run("DELETE FROM message WHERE row IN (1, 900)")
            try transaction.messages.insert(
                .reply("new", "n1000"), account: fixture.account, stage: .stored, pending: false, at: .at(1))
        }
        #expect(try await found("n899", in: fixture).isEmpty)
        while try await fixture.store.indexHistorySlice(rowLimit: 100) {}
        #expect(try fixture.store.fetchIndexedPercentage() == nil)
        for (words, id) in [("n3 number", "m3"), ("n998 number", "m998"), ("n1000", "new")] {
            #expect(try await found(words, in: fixture).contains(Message.ID(id)))
        }
        #expect(try await found("n0 number", in: fixture).isEmpty)
        #expect(try fixture.store.quickCheck() == nil)
    }

    @Test
    func `A search in a large history finds the newest matches for frequent words, rare words and prefixes`()
        async throws
    {
        let fixture = try store(
            (0..<25_000).map { "hello\($0 % 3 == 0 ? "" : " help") n\($0) \($0 % 2 == 0 ? "even" : "odd")" })
        let newest = ["m24999", "m24998", "m24997"], odd = ["m24999", "m24997", "m24995"]
        let cases: [(words: String, found: [String])] = [
            // The first three cases are a frequent word, a prefix of few frequent words, and a prefix of many
            // rare words.
            ("hello", newest), ("hel", newest), ("n", newest), ("hello odd", odd), ("odd n", odd),
            ("odd even", []), ("n24998 hel", ["m24998"]), ("even n24999", []), ("n24999", ["m24999"]),
        ]
        for (words, expected) in cases {
            let query = try #require(SearchQuery(words))
            let found = try await fixture.store.search(query, limit: 3).map(\.message.id.rawValue)
            #expect(found == expected, "\(words)")
        }
    }
}
