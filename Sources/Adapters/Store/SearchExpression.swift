/// What a person typed, as a full-text expression in which every word is only a word.
struct SearchExpression {
    let text: String

    static let maximumWords = 32

    /// nil without a word.
    init?(_ words: String) {
        // NUL too: SQLite would end the expression there, within its quotes.
        let quoted = words.split { $0.isWhitespace || $0 == "\0" }
            .prefix(Self.maximumWords)
            .map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                    + "\""
            }
        guard !quoted.isEmpty else { return nil }
        text = quoted.joined(separator: " ") + "*"
    }
}
