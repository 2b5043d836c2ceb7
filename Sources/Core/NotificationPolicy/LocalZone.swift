internal import Config
public import CutieAPI
internal import Glibc

/// A time zone, defined by a function that returns the UTC offset at a Unix time.
public struct LocalZone: Sendable {
    static let day: Int64 = 86_400
    private let offset: @Sendable (Int64) -> Int64

    /// Creates a time zone.
    ///
    /// - Parameter offset: returns the UTC offset in seconds (east is positive) at a Unix time in seconds.
    public init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

    /// The system's time zone. A change of the time zone takes effect immediately.
    public static let current = LocalZone { seconds in
        var (seconds, parts) = (time_t(seconds), tm())
        // Call `tzset`, because `localtime_r` alone would always use the time zone of the first call.
        tzset()
        localtime_r(&seconds, &parts)
        return Int64(parts.tm_gmtoff)
    }

    /// Returns the local time, such as "22:05".
    public func clockText(for time: Timestamp) -> String {
        let minute = Self.remainder(of: localSeconds(fromUTC: time.seconds), dividedBy: Self.day) / 60
        func twoDigitText(of number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return twoDigitText(of: minute / 60) + ":" + twoDigitText(of: minute % 60)
    }

    /// Returns 8:00 on the next day. A day starts at 4:00, so from midnight to 4:00 the result is 8:00 on the
    /// same date.
    public func nextMorning(after time: Timestamp) -> Timestamp {
        timestamp(day: day(of: time - .seconds(4 * 3600)) + 1, minuteOfDay: 8 * 60)
    }

    /// Returns the next time at which the local clock shows `minute`, in minutes after midnight.
    public func nextTime(atMinuteOfDay minute: Int, after time: Timestamp) -> Timestamp {
        let today = day(of: time)
        return (today...today + 2).lazy.map { timestamp(day: $0, minuteOfDay: minute) }.first { $0 > time }
            ?? time + .seconds(Self.day)
    }

    /// Returns the weekday of a day number. Day 0 was a Thursday.
    static func weekday(of day: Int64) -> QuietHours.Weekday {
        QuietHours.Weekday(rawValue: Int(remainder(of: day + 3, dividedBy: 7))) ?? .mon
    }

    /// Returns the local date as the number of days since 1970-01-01.
    func day(of time: Timestamp) -> Int64 {
        let local = localSeconds(fromUTC: time.seconds)
        return (local - Self.remainder(of: local, dividedBy: Self.day)) / Self.day
    }

    /// Returns the first time on `day` at which the local clock shows `minuteOfDay`, in minutes after
    /// midnight. If daylight saving time skips
    /// that minute, returns the time of the change.
    func timestamp(day: Int64, minuteOfDay: Int) -> Timestamp {
        let wanted = day * Self.day + Int64(minuteOfDay) * 60
        let (before, after) = (offset(wanted - Self.day), offset(wanted + Self.day))
        let fitting = [wanted - before, wanted - after].filter { localSeconds(fromUTC: $0) == wanted }.min()
        return Timestamp(
            milliseconds: (fitting ?? findOffsetChange(fromOffset: before, around: wanted)) * 1000)
    }

    /// Returns the Unix time in seconds at which the UTC offset changes from `before` to another value. The
    /// change is at most one day before or after the local time `localTime`.
    private func findOffsetChange(fromOffset before: Int64, around localTime: Int64) -> Int64 {
        var (earlier, later) = (localTime - Self.day, localTime + Self.day)
        while later - earlier > 1 {
            let middle = earlier + (later - earlier) / 2
            if offset(middle) == before { earlier = middle } else { later = middle }
        }
        return later
    }

    private func localSeconds(fromUTC seconds: Int64) -> Int64 { seconds + offset(seconds) }

    private static func remainder(of value: Int64, dividedBy divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
