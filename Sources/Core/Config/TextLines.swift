/// The lines of a file with their original line endings, so that an edit preserves all other lines byte for
/// byte.
struct TextLines {
    struct Line {
        var content: String
        /// The line ending; empty if the last line of the file has no line ending.
        var end: String
    }

    private(set) var lines: [Line] = []
    /// The byte order mark of the file; empty if there is none.
    private let mark: String

    /// Splits `text` at the line breaks that YAML defines, so that line numbers equal those of the YAML
    /// parser.
    init(_ text: String) {
        let scalars = text.unicodeScalars
        mark = scalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
        var (content, previous) = (String.UnicodeScalarView(), Unicode.Scalar(0 as UInt8))
        for scalar in scalars.dropFirst(mark.isEmpty ? 0 : 1) {
            if scalar == "\n", previous == "\r", !lines.isEmpty {
                lines[lines.count - 1].end = "\r\n"
            } else if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) {
                lines.append(Line(content: String(content), end: String(scalar)))
                content = String.UnicodeScalarView()
            } else {
                content.append(scalar)
            }
            previous = scalar
        }
        if !content.isEmpty { lines.append(Line(content: String(content), end: "")) }
    }

    var text: String { mark + lines.map { $0.content + $0.end }.joined() }

    var count: Int { lines.count }

    /// Returns a line; an empty string for an index out of range.
    subscript(index: Int) -> String { lines.indices.contains(index) ? lines[index].content : "" }

    mutating func replaceLine(at index: Int, with content: String) { lines[index].content = content }

    mutating func removeLines(in range: Range<Int>) { lines.removeSubrange(range) }

    /// Inserts lines before line `index`, with the line ending of a neighbouring line.
    mutating func insertLines(_ contents: [String], at index: Int) {
        let neighbour = [index - 1, index].first { lines.indices.contains($0) && !lines[$0].end.isEmpty }
        let end = neighbour.map { lines[$0].end } ?? "\n"
        var new = contents.map { Line(content: $0, end: end) }
        if index == lines.count, index > 0, lines[index - 1].end.isEmpty {
            lines[index - 1].end = end
            new[new.count - 1].end = ""
        }
        lines.insert(contentsOf: new, at: index)
    }

    /// Returns whether the line is neither blank nor a comment. The result can be wrong inside a quoted
    /// scalar that spans several lines.
    func isContentLine(at index: Int) -> Bool {
        self[index].unicodeScalars.first { $0 != " " && $0 != "\t" }.map { $0 != "#" } ?? false
    }

    /// Returns the index after the last content line of `range`; the lower bound if `range` contains no
    /// content line.
    func endOfContent(in range: Range<Int>) -> Int {
        (range.last { isContentLine(at: $0) } ?? range.lowerBound - 1) + 1
    }
}

/// The parts of a line `key: value # comment`.
struct KeyLine {
    /// The text up to and including the colon.
    let key: String
    /// The spaces between the colon and the value.
    let space: String
    /// The value as written, including quotes; empty if the line has no value.
    let value: String
    /// The comment including `#`; empty if the line has none.
    let comment: String

    /// Parses `line`; `nil` if the line does not have this form, or if the value may continue on the next
    /// line.
    ///
    /// `column`: the start of the key, counted from 0 in Unicode scalars.
    init?(_ line: String, column: Int) {
        let scalars = Array(line.unicodeScalars)
        guard column < scalars.count, scalars[..<column].allSatisfy({ $0 == " " }),
            var index = Self.endOfKey(in: scalars, startingAt: column)
        else { return nil }
        while index < scalars.count, scalars[index] == " " { index += 1 }
        guard index < scalars.count, scalars[index] == ":" else { return nil }
        index += 1
        let valueStart = scalars[index...].firstIndex { $0 != " " } ?? scalars.count
        guard let valueEnd = Self.endOfValue(in: scalars, startingAt: valueStart) else { return nil }
        let commentStart = scalars[valueEnd...].firstIndex { $0 != " " } ?? scalars.count
        guard commentStart == scalars.count || scalars[commentStart] == "#" else { return nil }
        func text(in range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }
        key = text(in: 0..<index)
        space = text(in: index..<valueStart)
        value = text(in: valueStart..<valueEnd)
        comment = text(in: commentStart..<scalars.count)
    }

    /// Returns the line with `value` as its value. Preserves the comment.
    func replacingValue(with value: String) -> String {
        key + (space.isEmpty || self.value.isEmpty ? " " : space) + value
            + (comment.isEmpty ? "" : " " + comment)
    }

    private static func endOfKey(in scalars: [Unicode.Scalar], startingAt start: Int) -> Int? {
        switch scalars[start] {
        case "'", "\"": endOfQuotedScalar(in: scalars, startingAt: start)
        default: scalars[start...].firstIndex { $0 == ":" || $0 == " " }
        }
    }

    /// Returns the index after the value; `nil` if the value may continue on the next line, or if it is not a
    /// plain scalar, a quoted scalar or a one-line list.
    private static func endOfValue(in scalars: [Unicode.Scalar], startingAt start: Int) -> Int? {
        guard start < scalars.count else { return start }
        switch scalars[start] {
        case "#": return start
        case "'", "\"": return endOfQuotedScalar(in: scalars, startingAt: start)
        case "[": return endOfList(in: scalars, startingAt: start)
        case "|", ">", "{", "&", "*", "!": return nil
        default:
            let comment = scalars.indices.dropFirst(start).first {
                scalars[$0] == "#" && scalars[$0 - 1] == " "
            }
            var end = comment ?? scalars.count
            while end > start, scalars[end - 1] == " " { end -= 1 }
            return end
        }
    }

    private static func endOfQuotedScalar(in scalars: [Unicode.Scalar], startingAt start: Int) -> Int? {
        let quote = scalars[start]
        var index = start + 1
        while index < scalars.count {
            let isNextQuote = index + 1 < scalars.count && scalars[index + 1] == quote
            switch scalars[index] {
            case "\\" where quote == "\"": index += 2
            case quote where quote == "'" && isNextQuote: index += 2
            case quote: return index + 1
            default: index += 1
            }
        }
        return nil
    }

    private static func endOfList(in scalars: [Unicode.Scalar], startingAt start: Int) -> Int? {
        var (index, depth) = (start, 0)
        while index < scalars.count {
            switch scalars[index] {
            case "'", "\"":
                guard let end = endOfQuotedScalar(in: scalars, startingAt: index) else { return nil }
                index = end - 1
            case "#" where scalars[index - 1] == " ": return nil
            case "[": depth += 1
            case "]":
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }
}
