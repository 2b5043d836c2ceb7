import Testing

@testable import InboxModel

struct WordsTests {
    private static let formatter = TimeFormatter(now: Desk.morning, calendar: LocalCalendar { _ in 0 })
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
    func `Times are shown in everyday form`(ago: Int64, short: String, day: String, moment: String) {
        let time = Desk.morning + ago
        #expect(Self.formatter.short(time) == short)
        #expect(Self.formatter.day(time) == day)
        #expect(Self.formatter.moment(time) == moment)
    }

    @Test func `The time zone decides the day, and extreme times do not crash`() {
        let east = TimeFormatter(now: Desk.morning, calendar: LocalCalendar { _ in 14 * 3600 + 1 })
        #expect(east.timestamp(Desk.morning) == "2025-11-22 00:00")
        let leap = LocalCalendar { _ in 0 }.moment(1_709_164_800_000)
        #expect((leap.year, leap.month, leap.day, leap.weekday) == (2024, 2, 29, 3))
        _ = east.day(.max)
        _ = east.day(.min)
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
    func `Only https and cutie links are detected in a text`(text: String, runs: [String]) {
        let found = TextRun.runs(of: text)
        #expect(found.map { $0.link == nil ? $0.text : "<\($0.text)>" } == runs)
        #expect(found.map(\.text).joined() == text)
    }

    @Test func `Markup escapes all text`() {
        let runs = TextRun.runs(of: "<b>&\u{1B} https://a.b/?x=1&y='2")
        #expect(
            TextRun.markup(of: runs)
                == "&lt;b&gt;&amp;\u{FFFD} <a href=\"https://a.b/?x=1&amp;y=&#39;2\">"
                + "https://a.b/?x=1&amp;y=&#39;2</a>")
    }

    @Test(arguments: [
        (" a\n\tb  c ", "a b c"), ("a\u{202E}b", "ab"), ("\u{1}", ""), ("abcdefghijk", "abcdefghij…"),
    ])
    func `A single-line text contains neither line breaks nor bidirectional controls`(
        text: String, line: String
    ) {
        #expect(plainLine(text, limit: 10) == line)
    }

    @Test func `A splice contains only the difference`() {
        #expect(Splice(from: [1, 2, 3], to: [1, 2, 3]) == nil)
        #expect(Splice(from: [1, 2, 3], to: [1, 4, 3]) == Splice(at: 1, removed: 1, added: [4]))
        #expect(Splice(from: [1, 1], to: [1, 1, 1]) == Splice(at: 2, removed: 0, added: [1]))
        #expect(Splice(from: [1, 1, 1], to: [1]) == Splice(at: 1, removed: 2, added: []))
        #expect(Splice(from: [], to: [1]) == Splice(at: 0, removed: 0, added: [1]))
    }
}
