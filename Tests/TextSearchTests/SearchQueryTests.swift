import Testing

@testable import TextSearch

struct SearchQueryTests {
    private func marked(_ words: String, in text: String, limit: Int = .max) throws -> [String] {
        let scalars = Array(text.unicodeScalars)
        return try #require(SearchQuery(words)).findRanges(in: text, limit: limit).map {
            String(String.UnicodeScalarView(scalars[$0]))
        }
    }

    @Test(arguments: [
        ("crash", "The app crashes; a Crash", ["crashes", "Crash"]),
        ("crash app", "The app crashes: crash", ["app", "crash"]),
        ("strasse", "Die Straße, die STRASSEN", ["Straße", "STRASSEN"]),
        ("zürich", "Zu\u{308}rich", ["Zu\u{308}rich"]),
        ("don't", "I don't know", ["don't"]),
        ("京", "東京都と京都", ["京", "京"]), ("東京", "東京都", ["東京"]), ("都", "東京都", ["都"]),
        ("京都 東", "東京都", ["東京都"]), ("京abc", "東京abc", ["京abc"]),
        ("東京都", "東京都庁、東京、都", ["東京都"]),
        ("한국", "나는 한국어를", ["한국"]), ("❤", "I ❤️ it", ["❤️"].map { _ in "❤" }),
        ("🎉", "Done 🎉🎉", ["🎉🎉"]), ("none", "nothing", []), ("noth", "nothing", ["nothing"]),
        ("noth ing", "nothing", []),
    ])
    func `The highlighted parts of a message match the query`(
        words: String, text: String, parts: [String]
    )
        throws
    {
        #expect(try marked(words, in: text) == parts)
    }

    @Test func `The number of highlighted parts is limited`() throws {
        let text = String(repeating: "word ", count: 100)
        #expect(try marked("word", in: text, limit: 3) == ["word", "word", "word"])
    }

    @Test(arguments: ["", "  ", "\"", "*", "()", "+ -", "\u{200B}", "\0", "。、"])
    func `A query that consists only of punctuation is empty`(words: String) {
        #expect(SearchQuery(words) == nil)
    }

    @Test(arguments: [
        ("crash", ["The crash", "Ada"], true), ("crash ada", ["The crash", "Ada"], true),
        ("crash bob", ["The crash", "Ada"], false), ("strasse", ["Straße"], true), ("京", ["東京"], true),
    ])
    func `A message matches if each word of the query occurs in one of its fields`(
        words: String, texts: [String], isMatch: Bool
    )
        throws
    {
        #expect(try #require(SearchQuery(words)).matches(texts) == isMatch)
    }
}
