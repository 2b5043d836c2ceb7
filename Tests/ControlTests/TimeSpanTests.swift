import Testing

@testable import Control

struct TimeSpanTests {
    @Test(arguments: [
        ("0", 0), ("90", 90), ("90s", 90), ("5m", 300), ("1h", 3600), ("2d", 172_800), ("007", 7),
    ])
    func `A duration on the command line has a unit, or is a plain number of seconds`(
        text: String, seconds: Int
    )
        throws
    {
        #expect(try TimeSpan(typed: text).seconds == seconds)
    }

    @Test(arguments: [
        "", "s", "-1", "+1", "1.5h", "1w", "5 m", "5M", "1h30m", "9999999999d", "99999999999999999999", "٣",
    ])
    func `An invalid duration on the command line is rejected`(text: String) {
        #expect(throws: InvalidValue.self) { try TimeSpan(typed: text) }
    }
}
