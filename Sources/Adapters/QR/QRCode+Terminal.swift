extension QRCode {
    /// The code in half blocks, two rows of modules a line, without colours. The light modules are drawn: on a
    /// dark terminal it looks as printed, on a light one it is the negative, which most scanners read, too.
    public var terminalText: String { terminalText(coloured: false) }

    /// As `terminalText`; `coloured` says black on white in so many words, and looks as printed everywhere.
    public func terminalText(coloured: Bool) -> String {
        stride(from: 0, to: outerWidth, by: 2).map { row in
            let line = (0..<outerWidth).map { column in
                Self.half(
                    upper: isLight(row: row, column: column), lower: isLight(row: row + 1, column: column))
            }.joined()
            return (coloured ? Self.whiteOnBlack + line + Self.plain : line) + "\n"
        }.joined()
    }

    /// Of the fixed part of the 256 colours: a theme may have made the first sixteen anything.
    private static let whiteOnBlack = "\u{1B}[38;5;231;48;5;16m"
    private static let plain = "\u{1B}[0m"

    /// The number of rows is odd: dark, the half below the last one would be a bar under the code.
    private func isLight(row: Int, column: Int) -> Bool { !isDark(row: row, column: column) }

    private static func half(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
