/// A piece of a message: text, or a link.
public struct TextRun: Hashable, Sendable {
    public var text: String
    /// The address that a click opens; `nil` for plain text.
    public var link: String?
    /// Whether the piece is part of a search match.
    public var isMatch: Bool

    public init(_ text: String, link: String? = nil, isMatch: Bool = false) {
        (self.text, self.link, self.isMatch) = (text, link, isMatch)
    }

    /// Splits a text into plain text and links. Only `https` and `cutie` become links, because other schemes
    /// could start other programs.
    public static func runs(of text: String) -> [TextRun] {
        var runs: [TextRun] = []
        var rest = text[...]
        var plain = text.startIndex
        while let start = nextScheme(in: rest) {
            let end = end(ofLinkAt: start, in: text)
            guard end > start, isBeginning(start, in: text), hasBody(text[start..<end]) else {
                rest = text[text.index(after: start)...]
                continue
            }
            if plain < start { runs.append(TextRun(String(text[plain..<start]))) }
            let link = String(text[start..<end])
            runs.append(TextRun(link, link: link))
            (plain, rest) = (end, text[end...])
        }
        if plain < text.endIndex || runs.isEmpty { runs.append(TextRun(String(text[plain...]))) }
        return runs
    }

    /// Returns the Pango markup of runs, with each piece escaped.
    public static func markup(of runs: [TextRun]) -> String {
        runs.map { run in
            let text = run.isMatch ? "<b>\(escaped(run.text))</b>" : escaped(run.text)
            return run.link.map { "<a href=\"\(escaped($0))\">\(text)</a>" } ?? text
        }.joined()
    }

    /// The maximum length of a link in bytes; longer links are truncated.
    private static let maxLinkLength = 2048
    private static let schemes = ["https://", "cutie://"]

    private static func nextScheme(in text: Substring) -> String.Index? {
        var bytes = text.utf8[...]
        while let place = bytes.firstIndex(where: { "hHcC".utf8.contains($0) }) {
            let tail = bytes[place...]
            if schemes.contains(where: { tail.prefix($0.utf8.count).lowercased == Array($0.utf8) }) {
                return place
            }
            bytes = bytes[bytes.index(after: place)...]
        }
        return nil
    }

    /// Returns whether a link may begin here; a scheme name inside a word, as in `xhttps`, does not begin
    /// one.
    private static func isBeginning(_ start: String.Index, in text: String) -> Bool {
        guard start > text.startIndex else { return true }
        let before = text[text.index(before: start)]
        return !before.isLetter && !before.isNumber
    }

    private static func hasBody(_ link: Substring) -> Bool {
        schemes.contains { link.utf8.count > $0.utf8.count && link.lowercased().hasPrefix($0) }
    }

    /// Returns the end of a link. Trailing punctuation and unbalanced closing brackets belong to the
    /// sentence, not to the link.
    private static func end(ofLinkAt start: String.Index, in text: String) -> String.Index {
        let whole = text.utf8[start...].prefix(maxLinkLength).prefix { isLinkByte($0) }
        var link = text[start..<whole.endIndex]
        while let last = link.last {
            switch last {
            case ".", ",", ";", ":", "!", "?", "'", "\"", "*", "_": link.removeLast()
            case ")" where link.count(where: { $0 == ")" }) > link.count(where: { $0 == "(" }):
                link.removeLast()
            default: return link.endIndex
            }
        }
        return link.endIndex
    }

    /// Returns whether a byte is visible ASCII that is allowed in an address; other characters could disguise
    /// the address.
    private static func isLinkByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"<>"\^`{|}"#.utf8.contains(byte)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Pango accepts no other control characters: it would reject the markup and show no text.
            case "\u{0}"..<"\u{9}", "\u{B}"..<"\u{D}", "\u{E}"..<"\u{20}", "\u{7F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension Sequence where Element == UInt8 {
    fileprivate var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
