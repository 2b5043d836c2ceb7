/// Formats times in a time zone.
struct WallClock: Sendable {
    /// Returns the offset from UTC in seconds at a Unix time in seconds. The offset changes with daylight
    /// saving time.
    var offset: @Sendable (Int64) -> Int

    /// Returns the local date, such as `2025-11-21`. `milliseconds`: Unix milliseconds.
    func dateText(for milliseconds: Int64) -> String {
        let (year, month, day) = Self.civilDate(daysSinceEpoch: localTime(at: milliseconds).days)
        return "\(Self.zeroPadded(year, width: 4))-\(Self.zeroPadded(month))-\(Self.zeroPadded(day))"
    }

    /// Returns the local time, such as `14:02:03`, or `14:02` without seconds.
    func timeText(for milliseconds: Int64, showsSeconds seconds: Bool = true) -> String {
        let second = localTime(at: milliseconds).second
        let minutes = "\(Self.zeroPadded(second / 3600)):\(Self.zeroPadded(second / 60 % 60))"
        return seconds ? "\(minutes):\(Self.zeroPadded(second % 60))" : minutes
    }

    /// Returns the local date and time, such as `2025-11-21 14:02:03`.
    func timestampText(for milliseconds: Int64) -> String {
        dateText(for: milliseconds) + " " + timeText(for: milliseconds)
    }

    private func localTime(at milliseconds: Int64) -> (days: Int, second: Int) {
        let unix = Self.flooredQuotient(milliseconds, by: 1000)
        let (seconds, overflow) = unix.addingReportingOverflow(Int64(offset(unix)))
        let shown = overflow ? unix : seconds
        let days = Self.flooredQuotient(shown, by: 86_400)
        return (Int(days), Int(shown - days * 86_400))
    }

    private static func flooredQuotient(_ value: Int64, by divisor: Int64) -> Int64 {
        value % divisor < 0 ? value / divisor - 1 : value / divisor
    }

    /// Returns the proleptic Gregorian date (Howard Hinnant's `civil_from_days`).
    private static func civilDate(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = Int(flooredQuotient(Int64(shifted), by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }

    private static func zeroPadded(_ number: Int, width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
