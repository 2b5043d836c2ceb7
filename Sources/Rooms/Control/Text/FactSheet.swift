/// Names and values in two columns.
struct FactSheet {
    private var lines: [(name: String, value: String)] = []

    /// A value may hold colours already, so what comes from outside must be plain before.
    mutating func append(_ name: String, _ value: String) {
        lines.append((name, value))
    }

    func text(on page: Page) -> String {
        let width = (lines.map(\.name.count).max() ?? 0) + 2
        return lines.map { name, value in
            let padding = String(repeating: " ", count: width - name.count)
            return page.paint(name, .faint) + padding + value + "\n"
        }.joined()
    }
}
