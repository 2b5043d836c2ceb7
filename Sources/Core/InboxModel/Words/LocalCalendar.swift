import Localization

/// A calendar for one time zone, which is defined by a function that returns the UTC offset at a Unix
/// time.
public struct LocalCalendar: Sendable {
    private let offset: @Sendable (Int64) -> Int64
    /// A function that returns whether the desktop uses the 12-hour clock.
    let usesTwelveHours: @Sendable () -> Bool

    /// Creates a calendar.
    ///
    /// - Parameters:
    ///   - offset: returns the UTC offset in seconds (east is positive) at a Unix time in seconds, including
    ///     daylight saving time.
    ///   - usesTwelveHours: returns whether the desktop uses the 12-hour clock. Called whenever a time is
    ///     formatted, because the user may change the setting.
    public init(
        offset: @escaping @Sendable (Int64) -> Int64,
        usesTwelveHours: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.usesTwelveHours, self.offset) = (usesTwelveHours, offset)
    }

    /// A local date and time.
    public struct DateFields: Hashable, Sendable {
        public var year: Int
        public var month: Int
        public var day: Int
        public var hour: Int
        public var minute: Int
        /// The day of the week; Monday is 0.
        public var weekday: Int
        /// Days since 1 January 1970.
        public var dayNumber: Int
    }

    /// Returns the local date and time.
    ///
    /// - Parameter milliseconds: Unix milliseconds.
    public func dateFields(at milliseconds: Int64) -> DateFields {
        let unix = Self.flooredQuotient(milliseconds, by: 1000)
        let (local, overflow) = unix.addingReportingOverflow(offset(unix))
        let shown = overflow ? unix : local
        let days = Self.flooredQuotient(shown, by: 86_400)
        let second = Int(shown - days * 86_400)
        let (year, month, day) = Self.civilDate(daysSince1970: Int(days))
        return DateFields(
            year: year, month: month, day: day, hour: second / 3600, minute: second / 60 % 60,
            weekday: Int(((days + 3) % 7 + 7) % 7), dayNumber: Int(days))
    }

    /// Converts a local day and minute to Unix milliseconds. If daylight saving time skips that minute, the
    /// result is up to an hour earlier or later.
    func time(day: Int, minuteOfDay: Int) -> Int64 {
        let wanted = Int64(day) * 86_400 + Int64(minuteOfDay) * 60
        let guess = wanted - offset(wanted)
        return (wanted - offset(guess)) * 1000
    }

    private static func flooredQuotient(_ value: Int64, by divisor: Int64) -> Int64 {
        value % divisor < 0 ? value / divisor - 1 : value / divisor
    }

    /// Returns the date of a day number in the proleptic Gregorian calendar. Source: Howard Hinnant,
    /// `civil_from_days`.
    private static func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = Int(flooredQuotient(Int64(shifted), by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

/// A formatter of dates and times. Dates are relative to `now`, such as `Yesterday`.
public struct TimeFormatter: Sendable {
    /// The current time in Unix milliseconds, to which dates are relative.
    public var now: Int64
    public var calendar: LocalCalendar

    public init(now: Int64, calendar: LocalCalendar) { (self.now, self.calendar) = (now, calendar) }

    /// Returns the local time of day at `time`, such as `14:05` or `2:05 PM`.
    public func clockText(at time: Int64) -> String {
        let moment = calendar.dateFields(at: time)
        return clockText(hour: moment.hour, minute: moment.minute)
    }

    /// Returns a time of day in the format of the desktop, such as `14:05` or `2:05 PM`.
    public func clockText(hour: Int, minute: Int) -> String {
        let minute = Self.twoDigitText(of: minute)
        guard calendar.usesTwelveHours() else { return Self.twoDigitText(of: hour) + ":" + minute }
        let parts: KeyValuePairs = ["hour": "\((hour + 11) % 12 + 1)", "minute": minute]
        // Translators: A time of day if the desktop is set to twelve hours.
        return hour < 12
            ? localized("{hour}:{minute} AM", parts) : localized("{hour}:{minute} PM", parts)
    }

    /// Returns the time to show in a row: the time of day (such as `14:05`) if `time` is today; otherwise
    /// `Yesterday`, the weekday, or the date.
    public func shortTimeText(for time: Int64) -> String {
        dayCount(since: time) == 0 ? clockText(at: time) : dayText(for: time)
    }

    /// Returns the text of a day separator: `Today`, `Yesterday`, the weekday within the last week, or the
    /// date.
    public func dayText(for time: Int64) -> String {
        switch dayCount(since: time) {
        case 0: localized("Today")
        case 1: localized("Yesterday")
        case 2...6: Self.weekdayName(forNumber: calendar.dateFields(at: time).weekday)
        default: dateText(for: time)
        }
    }

    /// Returns a date such as `21 November 2025`, without the year if it is the current year.
    public func dateText(for time: Int64) -> String {
        let (then, today) = (calendar.dateFields(at: time), calendar.dateFields(at: now))
        let parts: KeyValuePairs = [
            "day": "\(then.day)", "month": Self.monthName(forNumber: then.month), "year": "\(then.year)",
        ]
        return then.year == today.year
            ? localized("{day} {month}", parts) : localized("{day} {month} {year}", parts)
    }

    /// Returns a time for a phrase such as "since …" or "until …": the time of day (`14:05`) if `time` is
    /// today; otherwise the day and the time of day (`yesterday, 14:05`).
    public func relativeTimeText(for time: Int64) -> String {
        let days = dayCount(since: time)
        if days == 0 { return clockText(at: time) }
        let day =
            days == -1 ? localized("tomorrow") : days == 1 ? localized("yesterday") : dateText(for: time)
        return localized("{day}, {time}", ["day": day, "time": clockText(at: time)])
    }

    /// Returns the full date and time for an exported thread, such as `2025-11-21 14:05`.
    public func timestampText(for time: Int64) -> String {
        let moment = calendar.dateFields(at: time)
        let (month, day) = (Self.twoDigitText(of: moment.month), Self.twoDigitText(of: moment.day))
        return
            "\(moment.year)-\(month)-\(day) \(Self.twoDigitText(of: moment.hour)):\(Self.twoDigitText(of: moment.minute))"
    }

    /// Returns the number of days from the day of `time` to today; negative if the day is in the future.
    private func dayCount(since time: Int64) -> Int {
        calendar.dateFields(at: now).dayNumber - calendar.dateFields(at: time).dayNumber
    }

    private static func twoDigitText(of number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func weekdayName(forNumber number: Int) -> String {
        let names = [
            localized("Monday"), localized("Tuesday"), localized("Wednesday"), localized("Thursday"),
            localized("Friday"), localized("Saturday"), localized("Sunday"),
        ]
        return names[number]
    }

    private static func monthName(forNumber number: Int) -> String {
        let names = [
            localized("January"), localized("February"), localized("March"), localized("April"),
            localized("May"), localized("June"), localized("July"), localized("August"),
            localized("September"), localized("October"), localized("November"), localized("December"),
        ]
        return names[number - 1]
    }
}
