import Glibc
import Gtk
import InboxModel

extension LocalCalendar {
    /// The calendar of the system's time zone. Follows changes of the time zone and of the desktop's clock
    /// format.
    nonisolated static var local: LocalCalendar {
        LocalCalendar(
            offset: { Int64(localTime(atUnixSeconds: $0).tm_gmtoff) },
            usesTwelveHours: { DesktopClock.usesTwelveHours })
    }

    /// The seconds until the next local midnight; at least 1, so that a timer at midnight does not loop.
    static var secondsToMidnight: Int64 {
        let parts = localTime(atUnixSeconds: Int64(time(nil)))
        let passed = Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return max(1, 86_400 - passed)
    }
}

/// Returns the local time. Calls `tzset`, because `localtime_r` alone does not detect a changed time zone.
private nonisolated func localTime(atUnixSeconds seconds: Int64) -> tm {
    var (time, parts) = (time_t(seconds), tm())
    tzset()
    localtime_r(&time, &parts)
    return parts
}
