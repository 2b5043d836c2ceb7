/// Functions that sanitize untrusted text for a notification server.
enum PlainText {
    /// Returns `text` as a single line of at most `limit` characters.
    static func singleLine(_ text: String, limit: Int) -> String {
        sanitized(text, limit: limit) { isLineEnd($0) ? " " : $0 }
    }

    /// Returns `text` truncated to `limit` characters. Keeps line breaks, but merges consecutive empty lines.
    static func multipleLines(_ text: String, limit: Int) -> String {
        let bounded = sanitized(text, limit: limit) { isLineEnd($0) ? "\n" : $0 }
        guard bounded.utf8.contains(UInt8(ascii: "\n")), !hasCleanLines(bounded) else { return bounded }
        var kept: [Substring] = []
        for line
            in bounded
            .split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
        where !(line.isEmpty && kept.last?.isEmpty ?? true) {
            kept.append(line)
        }
        return String(trimmed(kept.joined(separator: "\n")[...]))
    }

    /// Returns `text` escaped for a server that renders markup. Escapes scalars, not characters, because a
    /// markup parser recognizes a `<` that is followed by a combining accent, although both form one
    /// `Character`.
    static func escapedMarkup(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns `text` without unsafe characters, truncated to `limit` characters. Limits the number of
    /// scalars first, because one character may consist of a million combining marks.
    private static func sanitized(
        _ text: String, limit: Int, replacing replaced: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        if text.utf8.count <= limit,
            isPrintableASCII(text, allowingNewlines: replaced("\n") == "\n")
                || text.unicodeScalars.allSatisfy({ isSafe($0) && replaced($0) == $0 })
        {
            return startsAndEndsVisibly(text[...]) ? text : String(trimmed(text[...]))
        }
        let start = text.unicodeScalars.prefix(limit * 8)
        let isTruncated = start.endIndex < text.unicodeScalars.endIndex
        var harmless = String.UnicodeScalarView()
        var former: Unicode.Scalar = " "
        for scalar in start {
            // Treat CR and CRLF as line endings, like LF.
            if scalar == "\r" {
                harmless.append(replaced("\n"))
            } else if isSafe(scalar), !(scalar == "\n" && former == "\r") {
                harmless.append(replaced(scalar))
            }
            former = scalar
        }
        let whole = trimmed(String(harmless)[...])
        if !isTruncated && whole.count <= limit { return String(whole) }
        let room = max(0, min(limit, whole.count) - 1)  // leave space for the "…"
        return trimmed(removingTruncatedWord(from: whole.prefix(room), of: whole)) + "…"
    }

    /// Returns whether `text` contains only visible ASCII characters and spaces, and line feeds if `lines` is
    /// true. This check is a fast path, because decoding scalars takes several times as long.
    private static func isPrintableASCII(_ text: String, allowingNewlines lines: Bool) -> Bool {
        var text = text
        return text.withUTF8 { $0.allSatisfy { 0x20...0x7E ~= $0 || lines && $0 == 0x0A } }
    }

    /// Removes a truncated word at the end. A long word is not removed, because some languages do not
    /// separate words.
    private static func removingTruncatedWord(from cut: Substring, of text: Substring) -> Substring {
        guard cut.endIndex < text.endIndex, !text[cut.endIndex].isWhitespace,
            let end = cut.suffix(cut.count / 8).lastIndex(where: \.isWhitespace)
        else { return cut }
        return cut[..<end]
    }

    /// Returns whether `text` is ASCII, has no empty line, and has no line that starts or ends with a space.
    private static func hasCleanLines(_ text: String) -> Bool {
        var former = UInt8(ascii: "\n")
        for byte in text.utf8 {
            let isBlank = byte <= 0x20 && former <= 0x20
            guard byte < 0x7F, !isBlank || byte == former && byte == 0x20 else { return false }
            former = byte
        }
        return former > 0x20
    }

    /// Returns whether `text` starts and ends with a printable ASCII character. This fast path covers most
    /// text, which needs no trimming.
    private static func startsAndEndsVisibly(_ text: Substring) -> Bool {
        let ink: ClosedRange<UInt8> = 0x21...0x7E
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return ink.contains(first) && ink.contains(last)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        if startsAndEndsVisibly(text) { return text }
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

    /// Returns whether a scalar is safe to show. Tab and line endings (except CR, which the caller converts)
    /// are safe. Other control characters are not: NUL ends a C string, and others can confuse D-Bus clients
    /// and Pango. Bidirectional controls are not safe, because they can disguise the order of the text.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x09...0x0C, 0x85: true
        case 0x00...0x1F, 0x7F...0x9F: false
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: false
        // Noncharacters. The range is hard-coded, because looking up the Unicode property is slow.
        case 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
