import Glibc
import InboxView

extension LocalCalendar {
    /// The calendar of this machine's time zone, also after the zone was changed.
    nonisolated static var local: LocalCalendar {
        LocalCalendar { Int64(localTime($0).tm_gmtoff) }
    }

    /// At least one, so that nobody spins where midnight is now.
    static var secondsToMidnight: Int64 {
        let parts = localTime(Int64(time(nil)))
        let passed = Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return max(1, 86_400 - passed)
    }
}

/// `localtime_r` alone keeps the zone that it read first.
private nonisolated func localTime(_ seconds: Int64) -> tm {
    var (time, parts) = (time_t(seconds), tm())
    tzset()
    localtime_r(&time, &parts)
    return parts
}
