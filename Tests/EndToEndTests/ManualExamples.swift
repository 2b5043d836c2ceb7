import Foundation

/// The example commands in a page of the documentation.
struct ManualExamples {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The README and the manual pages of the commands and interfaces.
    static var pages: [String] {
        let directory = root.appending(path: "config/man").path
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return ["README.md"]
            + pages.filter { $0.hasSuffix(".1") || $0.hasSuffix(".7") }.sorted().map { "config/man/" + $0 }
    }

    /// The shell commands, each of which may span several lines.
    let commands: [String]

    init(in page: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        commands = page.hasSuffix(".md") ? Self.fenced(text) : Self.displayed(text)
    }

    /// Returns the lines of the `sh` code blocks in the README, without comments.
    private static func fenced(_ text: String) -> [String] {
        text.matches(of: /```sh\n(?<block>(?s:.*?))```/).flatMap { match in
            match.output.block.split(separator: "\n").map { line in
                line.prefix(upTo: line.firstRange(of: "  #")?.lowerBound ?? line.endIndex)
                    .trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// Returns the commands in the EXAMPLES section of a manual page.
    private static func displayed(_ text: String) -> [String] {
        guard let start = text.firstRange(of: ".Sh EXAMPLES\n") else { return [] }
        let rest = text[start.upperBound...]
        let section = rest.prefix(upTo: rest.firstRange(of: "\n.Sh")?.lowerBound ?? rest.endIndex)
        let displays = section.matches(of: /(?m)^\.Dl (?<line>.*)$|^\.Bd.*\n(?<block>(?s:.*?))\n\.Ed/)
        return displays.compactMap { display in
            guard let shown = display.output.line ?? display.output.block else { return nil }
            let typed = unescaped(String(shown))
            return typed.hasPrefix("\"") ? nil : typed
        }
    }

    private static func unescaped(_ text: String) -> String {
        [("\\(dq", "\""), ("\\-", "-"), ("\\&", ""), ("\\e", "\\")].reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }
}
