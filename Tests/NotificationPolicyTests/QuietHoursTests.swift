import Config
import CutieAPI
import Foundation
import NotificationPolicy
import Testing

/// Tests of quiet hours in Berlin, where the clocks go forward from 02:00 to 03:00 on 2026-03-29, and back
/// from 03:00 to 02:00 on 2026-10-25.
struct QuietHoursTests {
    /// Parses an ISO 8601 time. If a local time occurs twice, `+02:00` means the first occurrence and
    /// `+01:00` means the second occurrence.
    private static func time(_ text: String) throws -> Timestamp {
        let date = try Date(text, strategy: .iso8601)
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
    }

    private static func zone(_ name: String) throws -> LocalZone {
        let zone = try #require(TimeZone(identifier: name))
        return LocalZone { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
    }

    private static let cases: [(String, hours: String, now: String, end: String?)] = [
        ("in the evening", "22:00-07:00", "2026-01-15T23:10:00+01:00", "2026-01-16T07:00:00+01:00"),
        ("in the morning", "22:00-07:00", "2026-01-16T06:59:59+01:00", "2026-01-16T07:00:00+01:00"),
        ("at the end", "22:00-07:00", "2026-01-16T07:00:00+01:00", nil),
        ("at the start", "22:00-07:00", "2026-01-16T22:00:00+01:00", "2026-01-17T07:00:00+01:00"),
        ("during the day", "12:30-13:30", "2026-06-01T13:00:00+02:00", "2026-06-01T13:30:00+02:00"),
        ("after a period during the day", "12:30-13:30", "2026-06-01T13:30:00+02:00", nil),
        (
            "the short night when the clocks go forward", "22:00-07:00", "2026-03-28T23:00:00+01:00",
            "2026-03-29T07:00:00+02:00"
        ),
        (
            "the long night when the clocks go back", "22:00-07:00", "2026-10-24T23:00:00+02:00",
            "2026-10-25T07:00:00+01:00"
        ),
        (
            "an end that does not exist because the clocks go forward", "22:00-02:30",
            "2026-03-29T01:59:00+01:00",
            "2026-03-29T03:00:00+02:00"
        ),
        ("after an end that does not exist", "22:00-02:30", "2026-03-29T03:00:00+02:00", nil),
        (
            "a start that does not exist because the clocks go forward", "02:30-07:00",
            "2026-03-29T03:00:00+02:00",
            "2026-03-29T07:00:00+02:00"
        ),
        (
            "before an end that occurs twice", "22:00-02:30", "2026-10-25T02:29:00+02:00",
            "2026-10-25T02:30:00+02:00"
        ),
        ("no second start after an end that occurs twice", "22:00-02:30", "2026-10-25T02:10:00+01:00", nil),
        (
            "a start that occurs twice", "02:30-07:00", "2026-10-25T02:10:00+01:00",
            "2026-10-25T07:00:00+01:00"
        ),
        (
            "a period that does not exist because the clocks go forward", "02:10-02:50",
            "2026-03-29T03:00:00+02:00", nil
        ),
    ]

    @Test(arguments: cases.indices)
    func `Quiet hours end according to the local time in Berlin`(number: Int) throws {
        let (name, hours, now, end) = Self.cases[number]
        let quiet = try #require(QuietHours(hours))
        let found = try quiet.endTime(at: Self.time(now), in: Self.zone("Europe/Berlin"))
        #expect(try found == end.map(Self.time), "\(name)")
    }

    /// 2026-01-16 is a Friday, 2026-03-29 and 2026-10-25 are Sundays.
    private static let weekCases: [(String, hours: [String], now: String, end: String?)] = [
        (
            "a weeknight that begins on Friday", ["mon-fri 22:00-07:00"], "2026-01-17T06:00:00+01:00",
            "2026-01-17T07:00:00+01:00"
        ),
        (
            "Saturday night if only weekdays are listed", ["mon-fri 22:00-07:00"],
            "2026-01-17T23:00:00+01:00", nil
        ),
        (
            "Sunday morning if only weekdays are listed", ["mon-fri 22:00-07:00"],
            "2026-01-18T06:00:00+01:00", nil
        ),
        (
            "the night from Sunday to Monday begins on Sunday", ["sun 22:00-07:00"],
            "2026-01-19T06:00:00+01:00", "2026-01-19T07:00:00+01:00"
        ),
        (
            "a second period", ["mon-fri 22:00-07:00", "sat,sun 00:00-10:00"], "2026-01-18T09:00:00+01:00",
            "2026-01-18T10:00:00+01:00"
        ),
        (
            "periods that overlap count as one", ["mon-fri 22:00-07:00", "sat,sun 00:00-10:00"],
            "2026-01-16T23:00:00+01:00", "2026-01-17T10:00:00+01:00"
        ),
        (
            "periods that follow each other at midnight count as one", ["22:00-00:00", "sat 00:00-09:00"],
            "2026-01-16T23:00:00+01:00", "2026-01-17T09:00:00+01:00"
        ),
        (
            "the longer of two overlapping periods applies", ["22:00-23:00", "21:00-02:00"],
            "2026-01-16T22:30:00+01:00",
            "2026-01-17T02:00:00+01:00"
        ),
        (
            "a Sunday of 23 hours", ["sun 00:00-10:00"], "2026-03-29T01:59:00+01:00",
            "2026-03-29T10:00:00+02:00"
        ),
        (
            "a Sunday of 25 hours", ["sat 23:00-10:00"], "2026-10-25T02:30:00+01:00",
            "2026-10-25T10:00:00+01:00"
        ),
        (
            "a period that does not exist does not end another period",
            ["sun 02:10-02:50", "sun 01:00-03:30"],
            "2026-03-29T03:00:00+02:00", "2026-03-29T03:30:00+02:00"
        ),
    ]

    @Test(arguments: weekCases.indices)
    func `Quiet hours on certain weekdays end according to the local time in Berlin`(number: Int) throws {
        let (name, hours, now, end) = Self.weekCases[number]
        let quiet = try #require(QuietHours(hours.compactMap { QuietHours.Period($0) }))
        #expect(quiet.periods.count == hours.count)
        let found = try quiet.endTime(at: Self.time(now), in: Self.zone("Europe/Berlin"))
        #expect(try found == end.map(Self.time), "\(name)")
    }

    @Test func `Quiet hours that cover the whole week are always in effect`() throws {
        let quiet = try #require(
            QuietHours(["00:00-12:00", "12:00-00:00"].compactMap { QuietHours.Period($0) }))
        let zone = try Self.zone("Europe/Berlin")
        var now = try Self.time("2026-03-25T00:00:00Z")
        for _ in 0..<14 * 24 {
            let end = try #require(quiet.endTime(at: now, in: zone))
            #expect(end > now)
            #expect(quiet.nextChange(after: now, in: zone) == end)
            now = now + .seconds(3600)
        }
    }

    @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe"])
    func `Quiet hours on certain weekdays neither start nor end before the computed time of the next change`(
        name: String
    )
        throws
    {
        let zone = try Self.zone(name)
        let periods = ["mon-fri 22:45-02:15", "sat 09:00-11:00", "sun 23:00-02:15"]
        let quiet = try #require(QuietHours(periods.compactMap { QuietHours.Period($0) }))
        var now = try Self.time("2026-01-01T00:00:00Z")
        for _ in 0..<366 * 24 {
            let (isQuiet, next) = (
                quiet.endTime(at: now, in: zone) != nil, quiet.nextChange(after: now, in: zone)
            )
            #expect(next > now)
            let before = Timestamp(milliseconds: next.milliseconds - 1)
            #expect((quiet.endTime(at: before, in: zone) != nil) == isQuiet)
            now = now + .seconds(3600)
        }
    }

    @Test(arguments: [
        ("2026-01-15T23:10:00+01:00", "2026-01-16T08:00:00+01:00"),
        ("2026-01-16T02:00:00+01:00", "2026-01-16T08:00:00+01:00"),
        ("2026-01-16T04:00:00+01:00", "2026-01-17T08:00:00+01:00"),
        ("2026-01-16T09:00:00+01:00", "2026-01-17T08:00:00+01:00"),
        ("2026-03-28T20:00:00+01:00", "2026-03-29T08:00:00+02:00"),
        ("2026-10-24T20:00:00+02:00", "2026-10-25T08:00:00+01:00"),
    ])
    func `The next morning is 8:00 on the next day, or 8:00 on the same day shortly after midnight`(
        now: String, morning: String
    )
        throws
    {
        let zone = try Self.zone("Europe/Berlin")
        #expect(try zone.nextMorning(after: Self.time(now)) == Self.time(morning))
    }

    @Test(arguments: [
        (18 * 60, "2026-01-16T17:59:59+01:00", "2026-01-16T18:00:00+01:00"),
        (18 * 60, "2026-01-16T18:00:00+01:00", "2026-01-17T18:00:00+01:00"),
        (0, "2026-01-16T18:00:00+01:00", "2026-01-17T00:00:00+01:00"),
        (150, "2026-03-28T18:00:00+01:00", "2026-03-29T03:00:00+02:00"),
        (150, "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"),
    ])
    func `The next occurrence of a time of day is correct when the clocks change`(
        minute: Int, now: String, next: String
    ) throws {
        let zone = try Self.zone("Europe/Berlin")
        #expect(try zone.nextTime(atMinuteOfDay: minute, after: Self.time(now)) == Self.time(next))
    }

    @Test(arguments: [
        "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia",
    ])
    func `Quiet hours end at the computed end on every day of a year`(name: String) throws {
        let zone = try Self.zone(name)
        let quiet = try #require(QuietHours("22:45-02:15"))
        var now = try Self.time("2026-01-01T00:00:00Z")
        for _ in 0..<366 * 48 {
            if let end = quiet.endTime(at: now, in: zone) {
                #expect(end > now && end.milliseconds - now.milliseconds <= 5 * 3_600_000)
                #expect(quiet.endTime(at: end, in: zone) == nil)
            }
            now = Timestamp(milliseconds: now.milliseconds + 30 * 60_000)
        }
    }

    @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns"])
    func `Each computed change of daily quiet hours is the next time at which they start or end`(
        name: String
    ) throws {
        let zone = try Self.zone(name)
        let quiet = try #require(QuietHours("22:45-02:15"))
        var (now, changes) = (try Self.time("2026-01-01T00:00:00Z"), 0)
        let end = try Self.time("2027-01-01T00:00:00Z")
        while now < end {
            let (isQuiet, next) = (
                quiet.endTime(at: now, in: zone) != nil, quiet.nextChange(after: now, in: zone)
            )
            #expect(next > now)
            let before = Timestamp(milliseconds: next.milliseconds - 1)
            #expect((quiet.endTime(at: before, in: zone) != nil) == isQuiet)
            #expect((quiet.endTime(at: next, in: zone) != nil) != isQuiet)
            (now, changes) = (next, changes + 1)
        }
        #expect(changes >= 2 * 365)
    }

    @Test func `A change of the time zone takes effect immediately`() async {
        await #expect(processExitsWith: .success) {
            let quiet = try #require(QuietHours("22:00-07:00"))
            let now = Timestamp(milliseconds: 1_768_514_400_000)  // 2026-01-15 22:00 UTC
            setenv("TZ", "Europe/Berlin", 1)
            #expect(quiet.endTime(at: now, in: .current)?.milliseconds == now.milliseconds + 8 * 3_600_000)
            #expect(LocalZone.current.clockText(for: now) == "23:00")
            setenv("TZ", "America/New_York", 1)
            #expect(quiet.endTime(at: now, in: .current) == nil)
            #expect(LocalZone.current.clockText(for: now) == "17:00")
        }
    }
}
