import ControlClient
import Testing

struct TerminalTextTests {
    @Test(arguments: [
        ("hello", "hello"),
        ("two\nlines\tand\r\nmore", "two lines and more"),
        ("\u{1B}[31mred\u{1B}]0;title\u{7}", "␛[31mred␛]0;title␇"),
        ("\u{9B}31m", "\u{FFFD}31m"),
        ("\u{7F}\0", "␡␀"),
        ("abc\u{202E}txt.exe\u{202C}", "abctxt.exe"),
        ("\u{2066}a\u{2069}\u{FEFF}\u{200B}", "a"),
        ("a\u{2028}b\u{85}c", "a b c"),
        ("👩‍💻 né 漢字", "👩‍💻 né 漢字"),
    ])
    func `Text for one terminal line contains no terminal escape sequences`(text: String, expected: String) {
        #expect(TerminalText.singleLine(text) == expected)
    }

    @Test func `Text for several terminal lines contains no control characters except line feeds and tabs`() {
        #expect(TerminalText.multipleLines("a\r\nb\rc\td\u{1B}[2J\u{2029}e") == "a\nb\nc\td␛[2J\ne")
    }
}
