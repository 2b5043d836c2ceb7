import NotificationPolicy
import Testing

@testable import Desktop

@Suite struct `Plain text for notifications` {
    @Test(arguments: [
        ("Ada", "Ada"),
        ("  two\nlines\t ", "two lines"),
        ("nul\0bell\u{7}escape\u{1B}[1m", "nulbellescape[1m"),
        ("abc\u{202E}gpj.exe\u{202C}", "abcgpj.exe"),
        ("a\u{2066}b\u{2069}", "ab"),
        ("שלום\u{200F} 👩‍👩‍👧", "שלום\u{200F} 👩‍👩‍👧"),
        ("a\u{2028}b\u{85}c\r\nd", "a b c d"), ("a\rb", "a b"),
        ("\u{FFFE}\u{FFFF}", ""),
    ])
    func `Text for one line contains no line breaks or control characters`(_ text: String, _ line: String) {
        #expect(PlainText.singleLine(text, limit: 200) == line)
    }

    @Test func `A line that is too long is truncated between graphemes`() {
        #expect(PlainText.singleLine("abcdef", limit: 6) == "abcdef")
        #expect(PlainText.singleLine("abcdefg", limit: 6) == "abcde…")
        #expect(PlainText.singleLine("ab cdefg", limit: 4) == "ab…")
        #expect(PlainText.singleLine(String(repeating: "👨‍👩‍👧‍👦", count: 9), limit: 3) == "👨‍👩‍👧‍👦👨‍👩‍👧‍👦…")
    }

    @Test func `Text that is too long is truncated at the end of a word if a word ends near the limit`() {
        let words = String(repeating: "seven words ", count: 10)
        #expect(PlainText.multipleLines(words, limit: 100).hasSuffix(" seven words…"))
        #expect(PlainText.multipleLines(words, limit: 95).hasSuffix(" words seven…"))
        let solid = String(repeating: "語", count: 400)
        #expect(PlainText.multipleLines(solid, limit: 300) == String(repeating: "語", count: 299) + "…")
        let families = "a " + String(repeating: "👨‍👩‍👧‍👦", count: 400)
        #expect(PlainText.multipleLines(families, limit: 300) == families.prefix(299) + "…")
    }

    @Test(arguments: [" ", "\n", "\u{1}", "\u{202E}"])
    func `Text that begins with thousands of invisible characters is truncated to an ellipsis`(
        _ nothing: String
    ) {
        let text = String(repeating: nothing, count: 10_000) + "words"
        #expect(PlainText.multipleLines(text, limit: 300) == "…")
        #expect(PlainText.singleLine(text, limit: 300) == "…")
    }

    @Test func `A grapheme with a million combining marks is truncated`() {
        let tower = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(PlainText.singleLine(tower, limit: 200) == "…")
        #expect(PlainText.multipleLines("Hello " + tower, limit: 100).unicodeScalars.count <= 800)
    }

    @Test func `The body of a notification keeps its line breaks, but at most one empty line in a row`() {
        #expect(
            PlainText.multipleLines("\r\n one \r\n\r\n\r\n\r\n two\nthree\n\n", limit: 99)
                == "one\n\ntwo\nthree")
        #expect(PlainText.multipleLines("one\rtwo\r\n\rthree", limit: 99) == "one\ntwo\n\nthree")
        #expect(PlainText.multipleLines("one  two\nthree", limit: 99) == "one  two\nthree")
        #expect(PlainText.multipleLines("one \n two\n\n\nthree", limit: 99) == "one\ntwo\n\nthree")
        #expect(PlainText.multipleLines("", limit: 99).isEmpty)
        #expect(PlainText.multipleLines("\u{0}\u{1}", limit: 99).isEmpty)
    }

    @Test func `Markup is escaped completely`() {
        #expect(
            PlainText.escapedMarkup("<a href=\"x\">&amp;</a>") == "&lt;a href=\"x\"&gt;&amp;amp;&lt;/a&gt;")
    }

    @Test func `Markup is escaped even if a combining mark follows the bracket`() {
        #expect(PlainText.escapedMarkup("<\u{301}b>&\u{301}") == "&lt;\u{301}b&gt;&amp;\u{301}")
    }
}
