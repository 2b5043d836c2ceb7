import Testing

@testable import Control

struct TextFormatTests {
    @Test(arguments: [
        (0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
        (86_399, "23 h ago"), (86_400, "1 d ago"), (604_799, "6 d ago"), (604_800, "2025-11-14"),
        (-30, "in 30 s"), (-90, "in 1 min"), (-7200, "in 2 h"), (-864_000, "2025-12-01"),
    ])
    func `Past times are formatted relative to the current time`(secondsAgo: Int64, expected: String) {
        #expect(TextFormat.plain.relativeTimeText(for: noon - secondsAgo * 1000) == expected)
    }

    @Test(arguments: [
        (2 * 3_600_000, "in 2 h"), (3_600_000, "in 1 h"), (60_000, "in 1 min"), (86_400_000, "in 1 d"),
        (90_000, "in 1 min"), (7 * 86_400_000, "2025-11-28"),
    ])
    func `A pause that has just started shows its complete duration as the remaining time`(
        milliseconds: Int64, expected: String
    ) {
        #expect(TextFormat.plain.relativeTimeText(for: noon + milliseconds - 40) == expected)
    }

    @Test(arguments: [Int64.min, Int64.max, -62_135_596_800_000, 253_402_300_799_000])
    func `Formatting a time that no calendar can represent does not crash`(milliseconds: Int64) {
        #expect(!TextFormat.plain.relativeTimeText(for: milliseconds).isEmpty)
        #expect(!WallClock { _ in 50_400 }.timestampText(for: milliseconds).isEmpty)
    }

    @Test(arguments: [
        (0, 0, "1970-01-01 00:00:00"), (noon, 0, "2025-11-21 14:00:00"), (noon, 3600, "2025-11-21 15:00:00"),
        (noon, -54_000, "2025-11-20 23:00:00"), (951_782_400_000, 0, "2000-02-29 00:00:00"),
        (-1, 0, "1969-12-31 23:59:59"), (1_709_251_199_999, 0, "2024-02-29 23:59:59"),
    ])
    func `A timestamp is formatted as the local date and time`(
        milliseconds: Int64, offset: Int, expected: String
    ) {
        #expect(WallClock { _ in offset }.timestampText(for: milliseconds) == expected)
    }

    @Test func `A time on another day is shown with its date`() {
        #expect(TextFormat.plain.absoluteTimeText(for: noon + 30 * minute) == "14:30")
        #expect(TextFormat.plain.absoluteTimeText(for: noon + 1440 * minute) == "2025-11-22 14:00")
    }

    @Test func `Colors are used only if the output format enables them`() {
        var format = TextFormat.plain
        #expect(format.styled("a", as: .red) == "a")
        format.usesColor = true
        #expect(format.styled("a", as: .red) == "\u{1B}[31ma\u{1B}[0m")
        #expect(format.styled("", as: .red) == "")
    }
}
