import TestSupport
import Testing
import TextSearch

@testable import InboxModel
@testable import MessageText

struct WordsTests {
    private static let formatter = TimeFormatter(
        now: InboxFixture.morning, calendar: LocalCalendar { _ in 0 })
    private static let hour: Int64 = 3_600_000

    @Test(arguments: [
        (0, "10:00", "Today", "10:00"), (-hour * 10, "00:00", "Today", "00:00"),
        (-hour * 10 - 1, "Yesterday", "Yesterday", "yesterday, 23:59"),
        (-hour * 48, "Wednesday", "Wednesday", "19 November, 10:00"),
        (-hour * 24 * 6, "Saturday", "Saturday", "15 November, 10:00"),
        (-hour * 24 * 7, "14 November", "14 November", "14 November, 10:00"),
        (-hour * 24 * 400, "17 October 2024", "17 October 2024", "17 October 2024, 10:00"),
        (hour * 24, "22 November", "22 November", "tomorrow, 10:00"),
    ])
    func `A recent time is shown as a clock time or a weekday, and an older time as a date`(
        ago: Int64, short: String, day: String, moment: String
    ) {
        let time = InboxFixture.morning + ago
        #expect(Self.formatter.shortTimeText(for: time) == short)
        #expect(Self.formatter.dayText(for: time) == day)
        #expect(Self.formatter.relativeTimeText(for: time) == moment)
    }

    @Test(arguments: [(0, "12:00 AM"), (1, "1:00 AM"), (11, "11:00 AM"), (12, "12:00 PM"), (23, "11:00 PM")])
    func `Times use the desktop's 12-hour clock, except in saved conversations`(hour: Int, text: String) {
        let calendar = LocalCalendar(offset: { _ in 0 }, usesTwelveHours: { true })
        let formatter = TimeFormatter(now: InboxFixture.morning, calendar: calendar)
        let time = InboxFixture.morning + Int64(hour - 10) * Self.hour
        #expect(formatter.clockText(at: time) == text)
        #expect(formatter.shortTimeText(for: time) == text)
        #expect(formatter.timestampText(for: time) == "2025-11-21 \(hour < 10 ? "0" : "")\(hour):00")
    }

    @Test func `Dates depend on the time zone, and extreme times do not cause a crash`() {
        let east = TimeFormatter(now: InboxFixture.morning, calendar: LocalCalendar { _ in 14 * 3600 + 1 })
        #expect(east.timestampText(for: InboxFixture.morning) == "2025-11-22 00:00")
        let leap = LocalCalendar { _ in 0 }.dateFields(at: 1_709_164_800_000)
        #expect((leap.year, leap.month, leap.day, leap.weekday) == (2024, 2, 29, 3))
        _ = east.dayText(for: .max)
        _ = east.dayText(for: .min)
    }

    @Test(arguments: [
        ("Hello", ["Hello"]), ("", [""]),
        ("See https://a.b/c?d=1, now", ["See ", "<https://a.b/c?d=1>", ", now"]),
        ("(https://a.b/x_(y))", ["(", "<https://a.b/x_(y)>", ")"]),
        ("cutie://conversation/1.", ["<cutie://conversation/1>", "."]),
        ("HTTPS://A.B!", ["<HTTPS://A.B>", "!"]),
        ("http://a.b javascript:x file:///etc", ["http://a.b javascript:x file:///etc"]),
        ("xhttps://a.b", ["xhttps://a.b"]), ("https:// a", ["https:// a"]), ("https://.", ["https://."]),
        ("https://a.bé", ["<https://a.b>", "é"]),
        ("https://a https://b", ["<https://a>", " ", "<https://b>"]),
    ])
    func `Only https links and cutie links are detected in text`(text: String, runs: [String]) {
        let found = TextRun.runs(of: text)
        #expect(found.map { $0.link == nil ? $0.text : "<\($0.text)>" } == runs)
        #expect(found.map(\.text).joined() == text)
    }

    @Test(
        arguments: [
            ("a **b c** d", ["a ", "b{b c}", " d"]), ("*a*, (*b*)", ["i{a}", ", (", "i{b}", ")"]),
            ("`a` and ``", ["c{a}", " and ``"]), ("`**x**`", ["c{**x**}"]),
            ("**a `b` c**", ["**a ", "c{b}", " c**"]), ("*a **b** c*", ["*a ", "b{b}", " c*"]),
            ("2**3**4", ["2**3**4"]), ("2*3*4", ["2*3*4"]), ("**a", ["**a"]), ("** a **", ["** a **"]),
            ("* one\n* two", ["* one\n* two"]), ("***a***", ["***a***"]), ("****", ["****"]), ("*", ["*"]),
            ("**a\nb**", ["**a\nb**"]), ("`a\nb`", ["`a\nb`"]), ("**<b>x</b>**", ["b{<b>x</b>}"]),
            ("**مهم جدا** الآن", ["b{مهم جدا}", " الآن"]), ("و**مهم**", ["و**مهم**"]),
            ("**see https://a.b/?**", ["b{see }", "b{<https://a.b/>}", "b{?}"]),
            ("https://a.b/*c*d", ["<https://a.b/*c*d>"]), ("*https://a.b*", ["i{<https://a.b>}"]),
            ("`https://a.b` https://c.d", ["c{https://a.b}", " ", "<https://c.d>"]),
            (
                "Look:\n```swift\nlet a = **b**\n\n```\n*Done*",
                ["Look:\n", "f{let a = **b**\n}", "\n", "i{Done}"]
            ),
            ("```\n```", [""]), ("```\na", ["```\na"]), ("```a```", ["``", "c{a}", "``"]),
            ("*a* *b", ["i{a}", " *b"]), ("**" + String(repeating: "a", count: 501) + "**", nil),
            ("`" + String(repeating: "a", count: 501) + "`", nil),
        ] as [(String, [String]?)])
    func `Emphasis and code are displayed without their delimiters`(text: String, runs: [String]?) {
        let found = TextRun.runs(of: text)
        let letters: [TextRun.Style: String] = [.strong: "b", .emphasis: "i", .code: "c", .block: "f"]
        let sketch = found.map { run in
            let text = run.link == nil ? run.text : "<\(run.text)>"
            return letters[run.style].map { "\($0){\(text)}" } ?? text
        }
        #expect(sketch == runs ?? [text])
        #expect(found.allSatisfy { $0.link == nil || $0.link == $0.text })
    }

    @Test(arguments: ["*", "**", "**a ", "*a ", "`", "`a ", "`a` ", "```\n", "**a** ", "```\na\n", "*a **b "])
    func `Emphasis is parsed in linear time`(piece: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: piece, count: count / piece.utf8.count)
            // Uses the fastest of three runs, because other tests compete for the processor cache.
            return (0..<3).map { _ in cpuTime { _ = TextRun.runs(of: text) } }.min() ?? .zero
        }
        _ = time(1_000)
        let (short, long) = (time(25_000), time(100_000))
        // The text is four times as long. A quadratic algorithm would take sixteen times as long.
        #expect(long < max(short * 9, .milliseconds(300)))
    }

    @Test func `Search matches are marked in styled text and links`() {
        let runs = TextRun.runs(of: "The **big printer** prints https://a.b/print `<sprint>` <Print>")
        let marked = runs.markingMatches(of: SearchQuery("print"))
        #expect(marked.plainText == runs.plainText)
        let (start, end) = (##"<span background="#ffe28a" foreground="#000000">"##, "</span>")
        let expected = """
            The <b>big </b>[<b>printer</b>] [prints] <a href="https://a.b/print">https://a.b/</a>\
            <a href="https://a.b/print">[print]</a> <tt>&lt;sprint&gt;</tt> &lt;[Print]&gt;
            """
        #expect(
            TextRun.markup(of: marked)
                == expected.replacing("[", with: start).replacing("]", with: end))
        #expect(runs.markingMatches(of: SearchQuery("nothing")) == runs)
    }

    @Test func `All text is escaped in Pango markup`() {
        let runs = TextRun.runs(of: "<b>&\u{1B} https://a.b/?x=1&y='2")
        #expect(
            TextRun.markup(of: runs)
                == "&lt;b&gt;&amp;\u{FFFD} <a href=\"https://a.b/?x=1&amp;y=&#39;2\">"
                + "https://a.b/?x=1&amp;y=&#39;2</a>")
    }

    @Test(arguments: [
        (" a\n\tb  c ", "a b c"), ("a\u{202E}b", "ab"), ("\u{1}", ""), ("abcdefghijk", "abcdefghij…"),
    ])
    func `Text for a single line contains neither line breaks nor bidirectional controls`(
        text: String, line: String
    ) {
        #expect(plainLine(text, limit: 10) == line)
    }

    @Test func `The difference between two lists is a splice that contains only the changed part`() {
        #expect(Splice(from: [1, 2, 3], to: [1, 2, 3]) == nil)
        #expect(Splice(from: [1, 2, 3], to: [1, 4, 3]) == Splice(at: 1, removed: 1, added: [4]))
        #expect(Splice(from: [1, 1], to: [1, 1, 1]) == Splice(at: 2, removed: 0, added: [1]))
        #expect(Splice(from: [1, 1, 1], to: [1]) == Splice(at: 1, removed: 2, added: []))
        #expect(Splice(from: [], to: [1]) == Splice(at: 0, removed: 0, added: [1]))
    }
}
