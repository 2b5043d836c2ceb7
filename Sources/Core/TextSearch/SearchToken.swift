/// The smallest unit of text that a search compares.
///
/// A word of letters is one token. A run of unspaced characters has one token for each pair of adjacent
/// characters, and one token for the last character. For example, `東京都` has the tokens `東京`, `京都` and `都`.
/// Therefore, any part of the run can be searched as a sequence of tokens. Pairs are used because a pair
/// occurs in far fewer messages than a single character, so a search in a million messages is fast.
public struct SearchToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case word
        /// A pair of adjacent characters. `end`: the end of the first character, as an offset in Unicode
        /// scalars.
        case pair(end: Int)
        /// The last character of a text without spaces between words. No character follows to form a pair.
        case single
    }

    /// The folded text, without spaces and ASCII punctuation.
    public let text: String
    let kind: Kind
    /// The position in the original string, as offsets of Unicode scalars.
    public let range: Range<Int>

    /// Returns the tokens of `text`, in order.
    public static func tokenize(_ text: some StringProtocol) -> [SearchToken] {
        var tokens: [SearchToken] = []
        var tokenizer = Tokenizer { tokens.append($0) }
        tokenizer.read(text)
        return tokens
    }

    /// Returns the tokens of `text`, separated by spaces.
    public static func joinedTokens(of text: String) -> String {
        var text = text
        if let joined = text.withUTF8(joinedTokens) { return joined }
        var joined = ""
        var tokenizer = Tokenizer {
            if !joined.isEmpty { joined += " " }
            joined += $0.text
        }
        tokenizer.read(text)
        return joined
    }

    /// Returns the tokens of ASCII text (its words in lower case), joined by spaces; `nil` if the text is
    /// not ASCII. This function is a fast path for indexing, because most messages are ASCII.
    private static func joinedTokens(ofASCII text: UnsafeBufferPointer<UInt8>) -> String? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        return String(unsafeUninitializedCapacity: text.count) { joined in
            var (count, isInWord) = (0, false)
            for byte in text {
                let wasInWord = isInWord
                isInWord = CharacterClass.isASCIILetterOrDigit(byte)
                guard isInWord else { continue }
                if !wasInWord, count > 0 {
                    joined[count] = UInt8(ascii: " ")
                    count += 1
                }
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                joined[count] = isUpper ? byte + 0x20 : byte
                count += 1
            }
            return count
        }
    }
}

/// A tokenizer that reads a string once, character by character.
private struct Tokenizer {
    private let onToken: (SearchToken) -> Void
    private var word = ""
    private var wordRange = 0..<0
    /// The last character of the current run; `nil` if there is no run.
    private var last: ComposedScalars.Element?

    init(onToken: @escaping (SearchToken) -> Void) { self.onToken = onToken }

    mutating func read(_ text: some StringProtocol) {
        for element in ComposedScalars(text.unicodeScalars) {
            switch CharacterClass(element.scalar) {
            case .letter:
                endRun()
                append(element)
            case .unspaced:
                endWord()
                extendRun(by: element)
            case .ignored: break
            case .wordEnd: endWord()
            case .separator:
                endWord()
                endRun()
            }
        }
        endWord()
        endRun()
    }

    private mutating func append(_ element: ComposedScalars.Element) {
        if word.isEmpty { wordRange = element.range }
        LetterFolding.appendFolded(element.scalar, to: &word)
        wordRange = wordRange.lowerBound..<element.range.upperBound
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        onToken(SearchToken(text: word, kind: .word, range: wordRange))
        word.removeAll(keepingCapacity: true)
    }

    private mutating func extendRun(by element: ComposedScalars.Element) {
        if let last {
            var text = String(last.scalar)
            text.unicodeScalars.append(element.scalar)
            onToken(
                SearchToken(
                    text: text, kind: .pair(end: last.range.upperBound),
                    range: last.range.lowerBound..<element.range.upperBound))
        }
        last = element
    }

    private mutating func endRun() {
        guard let last else { return }
        onToken(SearchToken(text: String(last.scalar), kind: .single, range: last.range))
        self.last = nil
    }
}
