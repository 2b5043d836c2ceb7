import Testing

@testable import Control

struct CellWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("né", 2), ("e\u{301}", 1), ("漢字", 4), ("한글", 4), ("👩‍💻", 2), ("❤️", 2), ("🇩🇪", 2),
        ("●", 1), ("ﾊ", 1), ("ハ", 2),
    ])
    func `The width of a string is the number of terminal cells that it occupies`(text: String, cells: Int) {
        #expect(CellWidth.width(of: text) == cells)
    }

    @Test(arguments: [
        ("short", 10, "short"), ("exactly ten", 11, "exactly ten"), ("too long for it", 8, "too lon…"),
        ("cut after space", 5, "cut…"), ("漢字漢字", 5, "漢字…"), ("漢字漢字", 4, "漢…"),
    ])
    func `Text that exceeds the available width is truncated with an ellipsis`(
        text: String, cells: Int, expected: String
    ) {
        #expect(CellWidth.truncated(text, toWidth: cells) == expected)
        #expect(CellWidth.width(of: expected) <= cells)
    }
}
