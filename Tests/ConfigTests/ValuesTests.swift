import Testing

@testable import Config

struct ValuesTests {
    @Test(arguments: [("0", 0), ("90", 90), ("90s", 90), ("5m", 300), ("1h", 3600), ("2d", 172_800)])
    func `A duration in the configuration has a unit, or is a plain number of seconds`(
        text: String, seconds: Int
    ) {
        #expect(Duration(parsing: text) == .seconds(seconds))
    }

    @Test(arguments: ["", "s", "-1", "+1", "1.5h", "1w", "1 h", "9223372036854775807d", "９"])
    func `An invalid duration in the configuration is rejected`(text: String) {
        #expect(Duration(parsing: text) == nil)
    }

    @Test func `Quiet hours may extend past midnight`() throws {
        let hours = try #require(QuietHours("22:00 - 7:05"))
        #expect(hours.description == "22:00-07:05")
        #expect(hours.periods.map(\.from) == [22 * 60] && hours.periods.map(\.to) == [7 * 60 + 5])
    }

    @Test func `Quiet hours may start and end on the same day`() throws {
        let hours = try #require(QuietHours("12:30-13:30"))
        #expect(hours.periods.map(\.from) == [12 * 60 + 30] && hours.periods.map(\.to) == [13 * 60 + 30])
    }

    @Test(arguments: [
        "hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=",
        "sha256//hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gd=",
        "sha256//hxqRlPTu1bMS_0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=",
        "sha256//hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc",
        "sha256//", "sha1//hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=",
    ])
    func `An invalid certificate pin is rejected`(text: String) {
        #expect(CertificatePin(text) == nil)
    }

    @Test func `The error for an unknown key suggests existing keys only if their names are similar`() {
        #expect(spellingSuggestion(for: "quiet-hours", among: ["quiet_hours", "sound"]) == "quiet_hours")
        #expect(spellingSuggestion(for: "banana", among: ["quiet_hours", "sound"]) == nil)
        #expect(spellingSuggestion(for: String(repeating: "x", count: 100_000), among: ["sound"]) == nil)
    }
}
