import ControlClient

/// A table whose columns are as wide as their content. The last column is truncated if the line would be too
/// long.
struct Table {
    struct Cell {
        var text: String
        var style: TextStyle?
        /// The ranges of `text` to print in bold, as scalar offsets.
        var highlights: [Range<Int>] = []

        init(_ text: String, _ style: TextStyle? = nil) {
            self.text = TerminalText.singleLine(text)
            self.style = style
        }
    }

    struct Column {
        var title: String
        /// The maximum width, in cells.
        var limit: Int
        var alignsRight: Bool

        init(_ title: String, limit: Int = .max, alignsRight: Bool = false) {
            self.title = title
            self.limit = limit
            self.alignsRight = alignsRight
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Appends a row with one cell for each column.
    mutating func append(_ row: [Cell]) {
        rows.append(
            zip(columns, row).map { column, cell in
                var cell = cell
                cell.text = CellWidth.truncated(cell.text, toWidth: column.limit)
                return cell
            })
    }

    /// Returns the text of the table. Every line ends with a line feed.
    func text(in format: TextFormat) -> String {
        let header = columns.map { Cell($0.title, .faint) }
        let widths = columns.indices.map { index in
            ([header] + rows).map { CellWidth.width(of: $0[index].text) }.max() ?? 0
        }
        return ([header] + rows).map { lineText(of: $0, widths: widths, format: format) + "\n" }.joined()
    }

    private func lineText(of row: [Cell], widths: [Int], format: TextFormat) -> String {
        var result = ""
        var used = 0
        for (index, cell) in row.enumerated() {
            let isLast = index == row.count - 1
            let text =
                isLast ? CellWidth.truncated(cell.text, toWidth: max(20, format.width - used)) : cell.text
            let padding = CellWidth.padding(for: text, toWidth: widths[index])
            let painted =
                cell.style.map { format.styled(text, as: $0) }
                ?? format.highlighted(text, ranges: cell.highlights)
            result += columns[index].alignsRight ? padding + painted : painted + (isLast ? "" : padding)
            result += isLast ? "" : "  "
            used += widths[index] + 2
        }
        while result.last == " " { result.removeLast() }
        return result
    }
}

/// A list of names and values in two columns.
struct FieldList {
    private var lines: [(name: String, value: String)] = []

    /// Appends a line. The value may contain color codes, so the caller must sanitize external text.
    mutating func append(name: String, value: String) {
        lines.append((name, value))
    }

    func text(in format: TextFormat) -> String {
        let width = (lines.map { CellWidth.width(of: $0.name) }.max() ?? 0) + 2
        return lines.map { name, value in
            format.styled(name, as: .faint) + CellWidth.padding(for: name, toWidth: width) + value + "\n"
        }.joined()
    }
}

/// Computes the width of text in terminal cells. Approximates `wcwidth` well enough to align columns.
enum CellWidth {
    static func width(of text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first) ? 2 : 1
        }
    }

    /// Returns the spaces that pad `text` to `cells`.
    static func padding(for text: String, toWidth cells: Int) -> String {
        String(repeating: " ", count: max(0, cells - width(of: text)))
    }

    /// Returns `text` if it fits in `cells`; otherwise its beginning and an ellipsis.
    static func truncated(_ text: String, toWidth cells: Int) -> String {
        guard cells > 0, width(of: text) > cells else { return text }
        var used = 0
        let kept = text.prefix { character in
            used += width(of: character)
            return used < cells
        }
        return kept.trimmingSuffix { $0 == " " } + "…"
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF: true
        case 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60: true
        case 0xFFE0...0xFFE6, 0x20000...0x3FFFD: true
        default: false
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        var result = self
        while let last = result.last, isTrimmed(last) { result.removeLast() }
        return String(result)
    }
}
