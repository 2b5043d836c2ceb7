import ControlClient
import Platform

/// Checks as aligned lines of a terminal.
public struct CheckSheet: Sendable {
    private let isUnicode: Bool
    private let isColoured: Bool
    private static let nameWidth = 22

    public init(isUnicode: Bool, isColoured: Bool) {
        (self.isUnicode, self.isColoured) = (isUnicode, isColoured)
    }

    /// Colours on a terminal without `NO_COLOR`; signs that the locale can show.
    public init(environment: [String: String], isTerminal: Bool) {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment.value(of: $0) }.first?.lowercased() ?? ""
        self.init(
            isUnicode: locale.hasSuffix("utf-8") || locale.hasSuffix("utf8"),
            isColoured: isTerminal && environment.value(of: "NO_COLOR") == nil
                && environment["TERM"] != "dumb")
    }

    /// The line of a check and that of its advice, each with its end.
    public func text(_ check: Check) -> String {
        let name = plain(check.name)
        let padding = String(repeating: " ", count: max(1, Self.nameWidth - name.count))
        let line = "\(sign(check.verdict)) \(name)\(padding)\(plain(check.finding))\n"
        guard let advice = check.advice else { return line }
        return line + String(repeating: " ", count: Self.nameWidth + 2) + plain(advice) + "\n"
    }

    /// The last line, behind an empty one.
    public func summary(of report: Report) -> String { "\n" + report.summary + "\n" }

    private func sign(_ verdict: Check.Verdict) -> String {
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

    /// What servers, files and the environment say, made harmless for a terminal: at most 500 characters.
    private func plain(_ text: String) -> String {
        // One character may be a million combining marks.
        let line = TerminalText.line(String(text.unicodeScalars.prefix(4000)))
        let cut = line.count <= 500 ? line : line.prefix(499) + "…"
        return isUnicode ? cut : Self.ascii(cut)
    }

    /// For a locale that shows nothing else. What stands for a control character was never to be read.
    private static func ascii(_ text: String) -> String {
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
