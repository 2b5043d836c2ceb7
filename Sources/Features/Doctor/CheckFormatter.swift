import ControlClient
import Platform

/// Formats checks as aligned lines for a terminal.
public struct CheckFormatter: Sendable {
    private let isUnicode: Bool
    private let isColoured: Bool
    private static let nameWidth = 22

    public init(isUnicode: Bool, isColoured: Bool) {
        (self.isUnicode, self.isColoured) = (isUnicode, isColoured)
    }

    /// Uses colors on a terminal unless `NO_COLOR` is set, and Unicode signs if the locale supports them.
    public init(environment: [String: String], isTerminal: Bool) {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment.nonEmptyValue(named: $0) }.first?.lowercased() ?? ""
        self.init(
            isUnicode: locale.hasSuffix("utf-8") || locale.hasSuffix("utf8"),
            isColoured: isTerminal && environment.nonEmptyValue(named: "NO_COLOR") == nil
                && environment["TERM"] != "dumb")
    }

    /// Returns a line with the check and, if there is advice, a line with the advice.
    public func text(of check: Check) -> String {
        let name = sanitizedLine(check.name)
        let padding = String(repeating: " ", count: max(1, Self.nameWidth - name.count))
        let line = "\(symbol(for: check.verdict)) \(name)\(padding)\(sanitizedLine(check.finding))\n"
        guard let advice = check.advice else { return line }
        return line + String(repeating: " ", count: Self.nameWidth + 2) + sanitizedLine(advice) + "\n"
    }

    /// Returns the last line, preceded by an empty line.
    public func summary(of report: DoctorReport) -> String { "\n" + report.summary + "\n" }

    private func symbol(for verdict: Check.Verdict) -> String {
        let (sign, ascii, colour) =
            switch verdict {
            case .ok: ("✓", "+", 32)
            case .warning: ("!", "!", 33)
            case .failure: ("✗", "x", 31)
            case .skipped: ("·", "-", 2)
            }
        let shown = isUnicode ? sign : ascii
        return isColoured ? "\u{1B}[\(colour)m\(shown)\u{1B}[0m" : shown
    }

    /// Returns text from servers, files or the environment as a safe line of at most 500 characters.
    private func sanitizedLine(_ text: String) -> String {
        // Limit the scalars before the characters, because one character may consist of a million combining
        // marks.
        let line = TerminalText.singleLine(String(text.unicodeScalars.prefix(4000)))
        let cut = line.count <= 500 ? line : line.prefix(499) + "…"
        return isUnicode ? cut : Self.asciiText(from: cut)
    }

    /// Converts text for a non-Unicode locale. Symbols that stand for control characters become spaces.
    private static func asciiText(from text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "“", "”": result += "\""
            case "…": result += "..."
            case "\u{2400}"..."\u{2421}", "\u{FFFD}": result += " "
            default: result += character.isASCII ? String(character) : "?"
            }
        }
    }
}
