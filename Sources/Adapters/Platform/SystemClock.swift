import CLinux
import Glibc

/// What the system's clocks say.
public enum SystemClock {
    /// Unix time. It jumps when somebody sets the clock.
    public static var milliseconds: Int64 {
        let time = time(of: CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Time since the machine started, suspend included.
    public static var uptime: Duration { duration(of: CLOCK_BOOTTIME) }

    /// The same without suspend.
    public static var timeAwake: Duration { duration(of: CLOCK_MONOTONIC) }

    private static func duration(of clock: clockid_t) -> Duration {
        let time = time(of: clock)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func time(of clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
