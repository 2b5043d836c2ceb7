public import TextSearch

/// A run of a message: text in one style, or a link.
public struct TextRun: Hashable, Sendable {
    public var text: String
    /// The URL that a click opens; `nil` for plain text.
    public var link: String?
    /// Whether the run is a search match.
    public var isMatch: Bool
    public var style: Style

    public enum Style: Hashable, Sendable {
        case plain, strong, emphasis, code
        /// Fenced code, which can have several lines.
        case block
    }

    public init(_ text: String, link: String? = nil, isMatch: Bool = false, style: Style = .plain) {
        (self.text, self.link, self.isMatch, self.style) = (text, link, isMatch, style)
    }

    /// Splits `text` into styled runs and links, and removes the style delimiters. Only `https` and `cutie`
    /// URLs become links, because a URL with another scheme could start a program.
    public static func runs(of text: String) -> [TextRun] {
        let links = findLinks(in: text)
        var runs: [TextRun] = []
        var position = text.startIndex
        var left = links[...]
        func appendRuns(of range: Range<String.Index>, style: Style) {
            var position = range.lowerBound
            func appendRun(upTo end: String.Index, isLink link: Bool) {
                guard position < end else { return }
                let piece = String(text.unicodeScalars[position..<end])
                runs.append(TextRun(piece, link: link ? piece : nil, style: style))
                position = end
            }
            left = left.drop { $0.lowerBound < range.lowerBound }
            while style.mayContainLinks, let link = left.first, link.upperBound <= range.upperBound {
                appendRun(upTo: link.lowerBound, isLink: false)
                appendRun(upTo: link.upperBound, isLink: true)
                left.removeFirst()
            }
            appendRun(upTo: range.upperBound, isLink: false)
        }
        for part in EmphasisScanner.parse(text, links: links) {
            appendRuns(of: position..<part.whole.lowerBound, style: .plain)
            appendRuns(of: part.content, style: part.style)
            position = part.whole.upperBound
        }
        appendRuns(of: position..<text.endIndex, style: .plain)
        return runs.isEmpty ? [TextRun("")] : runs
    }

    /// Returns `text` without its style delimiters.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars to read. Text without `*` and `` ` `` is
    ///   returned unchanged, regardless of its length.
    public static func plainText(of text: String, limit: Int) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "`") }) else {
            return text
        }
        return runs(of: String(text.unicodeScalars.prefix(limit))).plainText
    }

    private static func findLinks(in text: String) -> [Range<String.Index>] {
        var links: [Range<String.Index>] = []
        var rest = text[...]
        while let start = findNextScheme(in: rest) {
            let end = endOfLink(startingAt: start, in: text)
            guard end > start, isWordBoundary(at: start, in: text), hasContentAfterScheme(text[start..<end])
            else {
                rest = text[text.index(after: start)...]
                continue
            }
            links.append(start..<end)
            rest = text[end...]
        }
        return links
    }

    /// Returns the escaped Pango markup of runs.
    public static func markup(of runs: [TextRun]) -> String {
        runs.map { run in
            let (start, end) = run.style.tags
            var text = start + escapedMarkup(run.text) + end
            // Set both colors, because a background alone could be unreadable with the text color of a theme.
            if run.isMatch { text = "<span background=\"#ffe28a\" foreground=\"#000000\">\(text)</span>" }
            return run.link.map { "<a href=\"\(escapedMarkup($0))\">\(text)</a>" } ?? text
        }.joined()
    }

    /// The maximum length of a link in bytes; longer links are truncated.
    private static let maxLinkLength = 2048
    private static let schemes = ["https://", "cutie://"]

    private static func findNextScheme(in text: Substring) -> String.Index? {
        var bytes = text.utf8[...]
        while let position = bytes.firstIndex(where: { "hHcC".utf8.contains($0) }) {
            let tail = bytes[position...]
            if schemes.contains(where: { tail.prefix($0.utf8.count).lowercased == Array($0.utf8) }) {
                return position
            }
            bytes = bytes[bytes.index(after: position)...]
        }
        return nil
    }

    /// Returns whether a link may start at `start`. A scheme in the middle of a word, as in `xhttps`, does
    /// not start a link.
    private static func isWordBoundary(at start: String.Index, in text: String) -> Bool {
        guard start > text.startIndex else { return true }
        let before = text[text.index(before: start)]
        return !before.isLetter && !before.isNumber
    }

    private static func hasContentAfterScheme(_ link: Substring) -> Bool {
        schemes.contains { link.utf8.count > $0.utf8.count && link.lowercased().hasPrefix($0) }
    }

    /// Returns the end of a link. Punctuation at the end and unbalanced closing brackets are part of the
    /// surrounding sentence, not of the link.
    private static func endOfLink(startingAt start: String.Index, in text: String) -> String.Index {
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

    /// Returns whether a byte is visible ASCII that is allowed in a URL. Other characters end a link, because
    /// they could disguise the destination of the link.
    private static func isLinkByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"<>"\^`{|}"#.utf8.contains(byte)
    }

    private static func escapedMarkup(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Replace control characters, because Pango would reject the entire markup and show no text.
            case "\u{0}"..<"\u{9}", "\u{B}"..<"\u{D}", "\u{E}"..<"\u{20}", "\u{7F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension TextRun.Style {
    /// Whether links are detected in text of this style. In code, a URL is shown as plain text.
    fileprivate var mayContainLinks: Bool {
        switch self {
        case .plain, .strong, .emphasis: true
        case .code, .block: false
        }
    }

    fileprivate var tags: (start: String, end: String) {
        switch self {
        case .plain: ("", "")
        case .strong: ("<b>", "</b>")
        case .emphasis: ("<i>", "</i>")
        case .code, .block: ("<tt>", "</tt>")
        }
    }
}

extension [TextRun] {
    /// The text without style delimiters.
    public var plainText: String { map(\.text).joined() }

    /// Returns the runs with the matches of `query` marked; the unchanged runs if `query` is `nil`.
    public func markingMatches(of query: SearchQuery?) -> [TextRun] {
        guard let query else { return self }
        var matches = query.findRanges(in: plainText)[...]
        guard !matches.isEmpty else { return self }
        var marked: [TextRun] = []
        var position = 0
        for run in self {
            let scalars = Array<Unicode.Scalar>(run.text.unicodeScalars)
            let end = position + scalars.count
            func appendRun(upTo end: Int, isMatch: Bool, from start: Int) {
                guard start < end else { return }
                var piece = run
                piece.text = String(String.UnicodeScalarView(scalars[start..<end]))
                piece.isMatch = isMatch
                marked.append(piece)
            }
            var done = 0
            while let match = matches.first, match.lowerBound < end {
                appendRun(upTo: match.lowerBound - position, isMatch: false, from: done)
                let stop = Swift.min(match.upperBound, end) - position
                appendRun(upTo: stop, isMatch: true, from: Swift.max(done, match.lowerBound - position))
                done = stop
                if match.upperBound > end { break }
                matches.removeFirst()
            }
            appendRun(upTo: scalars.count, isMatch: false, from: done)
            position = end
        }
        return marked
    }
}

extension Sequence where Element == UInt8 {
    fileprivate var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
