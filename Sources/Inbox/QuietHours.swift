public import Config
public import CutieAPI
internal import Glibc

extension QuietHours {
    /// Looks at the wall clock, so a change of the clocks in spring or autumn moves the end with it.
    public func contains(_ now: Timestamp) -> Bool {
        contains(minuteOfDay: LocalTime(now).minuteOfDay)
    }

    /// The next moment the wall clock shows the end.
    public func end(after now: Timestamp) -> Timestamp {
        var local = LocalTime(now)
        if local.minuteOfDay >= to { local.addDay() }
        return local.at(minuteOfDay: to)
    }
}

/// A point of the local calendar.
public struct LocalTime {
    private var parts = tm()

    public init(_ time: Timestamp) {
        var seconds = time_t(time.milliseconds / 1000)
        tzset()
        localtime_r(&seconds, &parts)
    }

    public var minuteOfDay: Int { Int(parts.tm_hour) * 60 + Int(parts.tm_min) }

    /// "22:05".
    public var clock: String {
        let (hour, minute) = (parts.tm_hour, parts.tm_min)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    mutating func addDay() { parts.tm_mday += 1 }

    /// mktime normalises and finds whether daylight saving holds then.
    func at(minuteOfDay: Int) -> Timestamp {
        var target = parts
        (target.tm_hour, target.tm_min, target.tm_sec) = (Int32(minuteOfDay / 60), Int32(minuteOfDay % 60), 0)
        target.tm_isdst = -1
        return Timestamp(milliseconds: Int64(mktime(&target)) * 1000)
    }
}
