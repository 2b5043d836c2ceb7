import Glibc
import InboxView

extension LocalCalendar {
    /// The one of this machine.
    nonisolated static var local: LocalCalendar {
        LocalCalendar { seconds in
            var (time, parts) = (time_t(seconds), tm())
            localtime_r(&time, &parts)
            return Int64(parts.tm_gmtoff)
        }
    }

    /// At least one, so that nobody spins where midnight is now.
    static var secondsToMidnight: Int64 {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        let passed = Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return max(1, 86_400 - passed)
    }
}
