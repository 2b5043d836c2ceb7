/// A search query: a list of phrases. Text matches if it contains all phrases.
public struct SearchQuery: Hashable, Sendable {
    /// The tokens of one typed word, which must be consecutive in the text.
    public struct Phrase: Hashable, Sendable {
        public let tokens: [String]
        /// Whether the last token may be a prefix of a longer token.
        public let isPrefix: Bool
        /// Whether the last token is a single character of an unspaced script. In the searched text, that
        /// character may be the first of a pair.
        let endsInSingle: Bool
    }

    public let phrases: [Phrase]

    /// The maximum number of words in a query. Further words are ignored.
    public static let maximumWords = 32

    /// Creates a query; `nil` if `words` contains no searchable character. The last word also matches longer
    /// words that begin with it.
    public init?(_ words: String) {
        let typed = words.split(whereSeparator: \.isWhitespace).prefix(Self.maximumWords)
        var tokens = typed.map { SearchToken.tokenize($0) }.filter { !$0.isEmpty }
        guard let last = tokens.popLast() else { return nil }
        phrases = tokens.map { Phrase($0, isLast: false) } + [Phrase(last, isLast: true)]
    }

    /// Returns up to `limit` matches in `text`, in order, as offsets of Unicode scalars. Matches that overlap
    /// or touch are merged. Only the first 20,000 scalars are searched.
    public func findRanges(in text: String, limit: Int = .max) -> [Range<Int>] {
        let tokens = SearchToken.tokenize(Substring(text.unicodeScalars.prefix(Self.searchedScalars)))
        var found: [Range<Int>] = []
        for start in tokens.indices {
            found += phrases.compactMap { $0.findRange(atStartOf: tokens[start...]) }
            if found.count / phrases.count >= limit { break }
        }
        return Array(Self.merged(found).prefix(limit))
    }

    /// Returns whether each phrase occurs in at least one of `texts`.
    public func matches(_ texts: [String]) -> Bool {
        let tokens = texts.map { SearchToken.tokenize($0) }
        return phrases.allSatisfy { phrase in
            tokens.contains { tokens in
                tokens.indices.contains { phrase.findRange(atStartOf: tokens[$0...]) != nil }
            }
        }
    }

    private static let searchedScalars = 20_000

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound..<end
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

extension SearchQuery.Phrase {
    fileprivate init(_ tokens: [SearchToken], isLast: Bool) {
        var tokens = tokens
        // Remove the last token if it is a single character after a pair: the pair already contains the
        // character, and in the searched text, the run may continue after the character.
        if tokens.count > 1, tokens[tokens.count - 1].kind == .single, tokens[tokens.count - 2].isPair {
            tokens.removeLast()
        }
        endsInSingle = tokens.last?.kind == .single
        isPrefix = isLast || endsInSingle
        self.tokens = tokens.map(\.text)
    }

    /// Returns the range of the phrase in `text`; `nil` if `text` does not begin with the phrase.
    fileprivate func findRange(atStartOf text: ArraySlice<SearchToken>) -> Range<Int>? {
        guard text.count >= tokens.count, let first = text.first else { return nil }
        for (wanted, token) in zip(tokens, text).dropLast() where wanted != token.text { return nil }
        let end = text[text.startIndex + tokens.count - 1]
        guard let wanted = tokens.last, isPrefix ? end.text.hasScalarPrefix(wanted) : end.text == wanted
        else { return nil }
        if endsInSingle, case .pair(let middle) = end.kind { return first.range.lowerBound..<middle }
        return first.range.lowerBound..<end.range.upperBound
    }
}

extension SearchToken {
    fileprivate var isPair: Bool { if case .pair = kind { true } else { false } }
}

extension String {
    /// Returns whether the string starts with `prefix`. Compares bytes instead of characters, because an
    /// emoji and the scalar after it may form a single
    /// `Character`.
    fileprivate func hasScalarPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
