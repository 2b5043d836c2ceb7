import ControlAPI

/// A search over all that is stored: one call at a time, and the newest words next.
struct SearchState: Hashable, Sendable {
    /// As it stands in the field.
    private(set) var text = ""
    /// What was found last, and for which words; it stays until what follows is found.
    private(set) var found: Found?
    private var asked: String?

    struct Found: Hashable, Sendable {
        var words: String
        var messages: [MessageView]
        var services: [ServiceView] = []
        var isCut: Bool
        /// A sentence.
        var failure: String?
    }

    /// The daemon takes no more.
    static let mostWords = 32

    var words: String {
        text.split(whereSeparator: \.isWhitespace).prefix(Self.mostWords).joined(separator: " ")
    }

    var isOn: Bool { !words.isEmpty }

    mutating func type(_ text: String) -> [Action] {
        self.text = String(text.prefix(ControlInterface.wordsLimit / 4))
        if !isOn { found = nil }
        return asked == nil ? ask() : []
    }

    private mutating func ask() -> [Action] {
        guard isOn, words != found?.words else { return [] }
        asked = words
        return [.call(.search(words: words))]
    }

    mutating func accept(_ reply: Search.Reply, services: [ServiceView], for words: String) -> [Action] {
        end(
            Found(words: words, messages: reply.messages, services: services, isCut: reply.cut == true))
    }

    mutating func fail(_ words: String, _ failure: CallFailure) -> [Action] {
        end(Found(words: words, messages: [], isCut: false, failure: failure.sentence))
    }

    private mutating func end(_ result: Found) -> [Action] {
        guard asked == result.words else { return [] }
        asked = nil
        if isOn { found = result }
        return ask()
    }
}

extension SearchHit {
    /// Scalars of an excerpt, and of them before the word that was found.
    private static let (length, lead) = (160, 40)

    /// The text on one line, from a little before the first of `words` on.
    static func excerpt(of text: String, words: String) -> String {
        let line = plainLine(text.prefix(20_000), limit: 20_000)
        let wanted = words.lowercased().split(separator: " ").map { Array($0.utf8) }
        let bytes = Array(line.lowercased().utf8)
        let place = wanted.compactMap { Self.place(of: $0, in: bytes) }.min() ?? 0
        // Lower case may have other bytes: close enough for an excerpt.
        let start = line.utf8.index(line.startIndex, offsetBy: min(place, line.utf8.count))
        let before = line[..<line[..<start].endIndex].unicodeScalars.count
        guard before > lead else { return plainLine(line, limit: length) }
        return "…" + plainLine(String(line.unicodeScalars.dropFirst(before - lead)), limit: length)
    }

    private static func place(of word: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = word.first, bytes.count >= word.count else { return nil }
        return (0...bytes.count - word.count).first { start in
            bytes[start] == first && bytes[start..<start + word.count].elementsEqual(word)
        }
    }
}
