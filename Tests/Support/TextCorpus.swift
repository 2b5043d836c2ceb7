/// A string that programs often misinterpret. Programs must transmit the string byte for byte, or exit with a
/// code other than 0.
public struct CorpusText: Sendable, CustomStringConvertible {
    public let name: String
    public let text: String

    public var description: String { name }

    /// Whether the string consists only of whitespace.
    public var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }

    /// The string without trailing line breaks, which are removed from standard input.
    public var withoutFinalLineEnds: String {
        var text = text
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// Whether the argument parser interprets the string as an option. An unknown option causes exit code 64.
    public var isOption: Bool {
        ["-h", "--help", "--json", "--version", "--nothing", "-x"].contains(text)
    }
}

extension CorpusText {
    public static let all: [CorpusText] = [
        dashes, words, scripts, joiners, directions, markup, queries, shells, controls, spaces,
    ].flatMap(\.self)

    private static func named(_ name: String, _ texts: String...) -> [CorpusText] {
        texts.enumerated().map { CorpusText(name: "\(name) \($0 + 1)", text: $1) }
    }

    private static let dashes = named(
        "dash", "- the export hangs", "-help me", "-1h", "-5", "--- a/file\n+++ b/file", "--json is broken",
        "--=x",
        "— em", "-the -h option", "---", "-é", "-\u{301}x")
    private static let options = named("option", "-h", "--help", "--json", "--version", "--nothing", "-x")
    private static let words =
        options + named("word", "help", "status", "a=b", "@me", "/etc/passwd", "hi", "2h", "x")
    private static let scripts = named(
        "script", "レポートが遅い", "导出卡住了", "การส่งออกค้าง", "내보내기가 멈춤", "Straße", "e\u{301}clair", "ﬁn",
        "𝒳 \u{1F600}")
    private static let joiners = named(
        "joiner", "می\u{200C}خواهم", "ශ්\u{200D}රී", "👩\u{200D}👩\u{200D}👧", "\u{200D}first", "❤\u{FE0F}",
        "葛\u{E0100}城",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}")
    private static let directions = named(
        "direction", "ייצוא תקוע", "abc\u{202E}gpj.exe\u{202C}", "\u{2066}isolated\u{2069}", "\u{200F}mark")
    private static let markup = named(
        "markup", "<b>bold</b> & <i>", "&amp;lt;", "**not** _markdown_", "{{name}} %s %d \\(x)",
        "{\"json\": [1]}")
    private static let queries = named(
        "query", "NOT this AND that", "\"open quote", "title:x*", "NEAR(a b)", "a'b; DROP TABLE messages--")
    private static let shells = named("shell", "$(touch /tmp/x) `id` ${HOME}", "* ? [a-z] ~ ! #", "a\\nb \\")
    private static let controls = named(
        "control", "a\u{1}b\u{1B}[31mred\u{7}", "\u{FEFF}mark", "a\u{85}b\u{2028}c")
    private static let spaces =
        named("space", "", "   ", " both ends ", "line\nend\n", "\ttab\r\nline\r\n")
        + named("long", String(repeating: "long - words ", count: 8000))
}
