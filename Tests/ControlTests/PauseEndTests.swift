import CutieAPI
import NotificationPolicy
import Testing

@testable import Control

struct PauseEndTests {
    /// 1970-01-01 11:00:00.5 in the time zone UTC+1.
    private let now = Timestamp(milliseconds: 36_000_500)
    private let zone = LocalZone { _ in 3600 }

    @Test(arguments: [
        ("11:01", 60), ("11:00", 86_400), ("14:30", 3 * 3600 + 1800), ("0:00", 13 * 3600),
        ("tomorrow", 21 * 3600),
    ])
    func `A pause ends at the time that the user entered`(text: String, seconds: Int) throws {
        #expect(try PauseEnd(typed: text).durationInSeconds(from: now, in: zone) == seconds)
    }

    @Test(arguments: ["", "7", "7:0", "24:00", "12:60", "-1:00", "12:00:00", "Tomorrow ", "٧:٣٠"])
    func `The end of a pause must be a valid time`(text: String) {
        #expect(throws: (any Error).self) { try PauseEnd(typed: text) }
    }
}
