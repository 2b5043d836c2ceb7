/// Columns of text, as wide as they must be. The last column is cut where the line would be too long.
struct Table {
    struct Cell {
        var text: String
        var ink: Ink?

        init(_ text: String, _ ink: Ink? = nil) {
            self.text = PlainText.line(text)
            self.ink = ink
        }
    }

    struct Column {
        var title: String
        /// The most cells it takes.
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

    /// One cell for each column.
    mutating func append(_ row: [Cell]) {
        rows.append(
            zip(columns, row).map { column, cell in
                var cell = cell
                cell.text = CellWidth.cut(cell.text, to: column.limit)
                return cell
            })
    }

    /// Every line ends with `\n`.
    func text(on page: Page) -> String {
        let header = columns.map { Cell($0.title, .faint) }
        let widths = columns.indices.map { index in
            ([header] + rows).map { CellWidth.of($0[index].text) }.max() ?? 0
        }
        return ([header] + rows).map { line($0, widths, page) + "\n" }.joined()
    }

    private func line(_ row: [Cell], _ widths: [Int], _ page: Page) -> String {
        var result = ""
        var used = 0
        for (index, cell) in row.enumerated() {
            let isLast = index == row.count - 1
            let text = isLast ? CellWidth.cut(cell.text, to: max(20, page.width - used)) : cell.text
            let padding = String(repeating: " ", count: max(0, widths[index] - CellWidth.of(text)))
            let painted = cell.ink.map { page.paint(text, $0) } ?? text
            result += columns[index].alignsRight ? padding + painted : painted + (isLast ? "" : padding)
            result += isLast ? "" : "  "
            used += widths[index] + 2
        }
        while result.last == " " { result.removeLast() }
        return result
    }
}
