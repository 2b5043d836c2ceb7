/// A styled part of a message, with its delimiters: `**bold**`, `*emphasis*`, `` `code` `` or fenced code.
/// Parts are not nested. Inside code, other delimiters have no effect.
struct StyledPart {
    var style: TextRun.Style
    /// The range of the part without its delimiters.
    var content: Range<String.Index>
    /// The range of the part with its delimiters.
    var whole: Range<String.Index>
}

/// A scanner that finds the styled parts of a message. The run time is linear in the length of the message,
/// because parts have a maximum length, and the search for fences stops at the first fence that is never
/// closed.
struct EmphasisScanner {
    /// The maximum length in Unicode scalars of a part other than fenced code.
    private static let maxLength = 500

    private let scalars: String.UnicodeScalarView
    /// The links after the current position. Delimiters inside a link have no effect.
    private var links: ArraySlice<Range<String.Index>>
    private var parts: [StyledPart] = []
    /// The latest unclosed `*` and `**` on the current line, by the length of the delimiter.
    private var openers: [Int: Opener] = [:]
    /// Whether to search for fenced code; `false` after the first fence that is never closed.
    private var mayFence = true

    private struct Opener {
        var position: String.Index
        /// The index after the delimiter.
        var content: String.Index
        /// The number of scalars on the line before `content`.
        var count: Int
    }

    /// Returns the styled parts of `text` in order.
    ///
    /// - Parameter links: the ranges of the links in `text`, in order.
    static func parse(_ text: String, links: [Range<String.Index>]) -> [StyledPart] {
        guard text.utf8.contains(where: { "*`".utf8.contains($0) }) else { return [] }
        var scanner = EmphasisScanner(scalars: text.unicodeScalars, links: links[...])
        scanner.scan()
        return scanner.parts
    }

    private init(scalars: String.UnicodeScalarView, links: ArraySlice<Range<String.Index>>) {
        (self.scalars, self.links) = (scalars, links)
    }

    private mutating func scan() {
        var start = scalars.startIndex
        while start < scalars.endIndex {
            var end = endOfLine(startingAt: start)
            if let fence = parseFencedCode(from: start, to: end) {
                parts.append(fence)
                end = fence.whole.upperBound
            } else {
                scanLine(start..<end)
            }
            start = end < scalars.endIndex ? scalars.index(after: end) : end
        }
    }

    private func endOfLine(startingAt start: String.Index) -> String.Index {
        scalars[start...].firstIndex(of: "\n") ?? scalars.endIndex
    }

    // MARK: - Fenced code

    /// Returns the fenced code that starts on this line; `nil` if no fenced code starts here or the fence is
    /// never closed.
    private mutating func parseFencedCode(from start: String.Index, to end: String.Index) -> StyledPart? {
        guard mayFence, end < scalars.endIndex, scalars[start..<end].starts(with: "```".unicodeScalars),
            !scalars[start..<end].dropFirst(3).contains("`")
        else { return nil }
        let first = scalars.index(after: end)
        var line = first
        while line < scalars.endIndex {
            let lineEnd = endOfLine(startingAt: line)
            if isClosingFence(scalars[line..<lineEnd]) {
                let last = line > first ? scalars.index(before: line) : first
                return StyledPart(style: .block, content: first..<last, whole: start..<lineEnd)
            }
            line = lineEnd < scalars.endIndex ? scalars.index(after: lineEnd) : lineEnd
        }
        mayFence = false
        return nil
    }

    private func isClosingFence(_ line: Substring.UnicodeScalarView) -> Bool {
        line.starts(with: "```".unicodeScalars) && line.dropFirst(3).allSatisfy(\.properties.isWhitespace)
    }

    // MARK: - Parts of a line

    private mutating func scanLine(_ line: Range<String.Index>) {
        openers = [:]
        var (position, count) = (line.lowerBound, 0)
        while position < line.upperBound {
            links = links.drop { $0.upperBound <= position }
            if let link = links.first, link.lowerBound <= position {
                count += scalars[position..<link.upperBound].count
                position = link.upperBound
                continue
            }
            var next = scalars.index(after: position)
            switch scalars[position] {
            case "`":
                if let code = parseInlineCode(from: position, in: line) {
                    parts.append(code)
                    openers = [:]
                    next = code.whole.upperBound
                }
            case "*":
                next = scalars[position..<line.upperBound].firstIndex { $0 != "*" } ?? line.upperBound
                let length = scalars.distance(from: position, to: next)
                openOrClosePart(at: position..<next, length: length, in: line, precedingScalarCount: count)
            default: break
            }
            count += scalars.distance(from: position, to: next)
            position = next
        }
    }

    private func parseInlineCode(from start: String.Index, in line: Range<String.Index>) -> StyledPart? {
        let content = scalars.index(after: start)
        let rest = scalars[content..<line.upperBound].prefix(Self.maxLength + 1)
        guard let end = rest.firstIndex(of: "`"), end > content else { return nil }
        return StyledPart(
            style: .code, content: content..<end, whole: start..<scalars.index(after: end))
    }

    /// Opens or closes a styled part at `asterisks`. A delimiter must be at the start or the end of a
    /// word, so `2*3*4` contains no
    /// delimiter.
    private mutating func openOrClosePart(
        at asterisks: Range<String.Index>, length: Int, in line: Range<String.Index>,
        precedingScalarCount: Int
    ) {
        guard length <= 2 else { return }
        let before =
            asterisks.lowerBound > line.lowerBound
            ? scalars[scalars.index(before: asterisks.lowerBound)] : nil
        let after = asterisks.upperBound < line.upperBound ? scalars[asterisks.upperBound] : nil
        if let opener = openers[length], let before, !before.properties.isWhitespace,
            after.map(Self.isWordPart) != true, precedingScalarCount - opener.count <= Self.maxLength
        {
            parts.append(
                StyledPart(
                    style: length == 2 ? .strong : .emphasis, content: opener.content..<asterisks.lowerBound,
                    whole: opener.position..<asterisks.upperBound))
            openers = [:]
        } else if let after, !after.properties.isWhitespace, before.map(Self.isWordPart) != true {
            openers[length] = Opener(
                position: asterisks.lowerBound, content: asterisks.upperBound,
                count: precedingScalarCount + length)
        }
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
