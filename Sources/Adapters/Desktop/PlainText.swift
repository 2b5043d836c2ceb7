/// Text from strangers, made fit for a notification server.
enum PlainText {
    /// `text` on one line, at most `limit` characters.
    static func line(_ text: String, limit: Int) -> String {
        bounded(text, limit: limit) { isLineEnd($0) ? " " : $0 }
    }

    /// `text` with its lines, at most one of them empty between two others, at most `limit` characters.
    static func lines(_ text: String, limit: Int) -> String {
        let bounded = bounded(text, limit: limit) { isLineEnd($0) ? "\n" : $0 }
        guard bounded.utf8.contains(UInt8(ascii: "\n")), !hasTidyLines(bounded) else { return bounded }
        var kept: [Substring] = []
        for line
            in bounded
            .split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
        where !(line.isEmpty && kept.last?.isEmpty ?? true) {
            kept.append(line)
        }
        return String(trimmed(kept.joined(separator: "\n")[...]))
    }

    /// `text` for a server that renders markup, to be read as it is. By scalars: a `<` with an accent is
    /// another grapheme, and to a parser of markup still a `<`.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// One grapheme may be a million combining marks: scalars are bounded before graphemes are counted.
    private static func bounded(
        _ text: String, limit: Int, _ replaced: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        if text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ isHarmless($0) && replaced($0) == $0 })
        {
            return hasInkAtItsEnds(text[...]) ? text : String(trimmed(text[...]))
        }
        let start = text.unicodeScalars.prefix(limit * 8)
        let isCut = start.endIndex < text.unicodeScalars.endIndex
        var harmless = String.UnicodeScalarView()
        for scalar in start where isHarmless(scalar) { harmless.append(replaced(scalar)) }
        let whole = trimmed(String(harmless)[...])
        if !isCut && whole.count <= limit { return String(whole) }
        let room = max(0, min(limit, whole.count) - 1)  // what is not seen may be all that there is
        return trimmed(endingAtWord(whole.prefix(room), of: whole)) + "…"
    }

    /// Without the beginning of a word that is cut, where that is short: not every language parts its words.
    private static func endingAtWord(_ cut: Substring, of whole: Substring) -> Substring {
        guard cut.endIndex < whole.endIndex, !whole[cut.endIndex].isWhitespace,
            let end = cut.suffix(cut.count / 8).lastIndex(where: \.isWhitespace)
        else { return cut }
        return cut[..<end]
    }

    /// Without a line that is empty, or has space at its ends, as most are; only where that is told from bytes.
    private static func hasTidyLines(_ text: String) -> Bool {
        var former = UInt8(ascii: "\n")
        for byte in text.utf8 {
            let isBlank = byte <= 0x20 && former <= 0x20
            guard byte < 0x7F, !isBlank || byte == former && byte == 0x20 else { return false }
            former = byte
        }
        return former > 0x20
    }

    /// Characters are slow, and most texts have nothing to trim.
    private static func hasInkAtItsEnds(_ text: Substring) -> Bool {
        let ink: ClosedRange<UInt8> = 0x21...0x7E
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return ink.contains(first) && ink.contains(last)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        if hasInkAtItsEnds(text) { return text }
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// No control character (a NUL would end the text, others make D-Bus clients and Pango stumble) but a line's end,
    /// of which LF is enough, and none of the bidirectional embeddings, overrides and isolates, which can make a text
    /// read as another one.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x09...0x0C, 0x85: true
        case 0x00...0x1F, 0x7F...0x9F: false
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: false
        // Noncharacters. Unicode's own table of them is slow.
        case 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
