/// Removes terminal control characters from text. An escape sequence or a bidi override in a message could
/// move the cursor, fake a line, or run commands of the terminal.
public enum TerminalText {
    /// Returns the text on one line, without control characters. Line endings and tabs become spaces.
    public static func singleLine(_ text: String) -> String {
        sanitized(text) { _ in " " }
    }

    /// Returns the text without control characters other than tabs and line endings. All line endings become
    /// LF.
    public static func multipleLines(_ text: String) -> String {
        sanitized(text) { $0 == "\t" ? "\t" : "\n" }
    }

    /// Returns the text indented by two columns, ending with LF.
    public static func indented(_ text: String) -> String {
        let lines = multipleLines(text).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }

    private static func sanitized(_ text: String, spaceReplacement: (Unicode.Scalar) -> Unicode.Scalar)
        -> String
    {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": result.append(spaceReplacement(scalar))
            case let scalar where isReorderingOrInvisible(scalar): break
            default: result.append(visibleScalar(for: scalar))
            }
            previous = scalar
        }
        return String(result)
    }

    /// Returns the symbol of a C0 control (␛), the replacement character for a C1 control, or any other
    /// scalar unchanged.
    private static func visibleScalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0: "\u{FFFD}"
        default: scalar
        }
    }

    /// Returns whether the scalar changes the order of displayed text, or is invisible.
    private static func isReorderingOrInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
