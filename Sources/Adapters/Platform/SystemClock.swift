import CLinux
import Glibc
import Runtime

public enum SystemClock {
    /// The wall clock time in Unix milliseconds. This clock is not monotonic.
    public static var milliseconds: Int64 {
        let time = readTime(of: CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The monotonic time since boot, including the time in suspend.
    public static var uptime: Duration { timeSinceBoot(on: CLOCK_BOOTTIME) }

    /// The monotonic time since boot, without the time in suspend.
    public static var timeAwake: Duration { timeSinceBoot(on: CLOCK_MONOTONIC) }

    private static func timeSinceBoot(on clock: clockid_t) -> Duration {
        let time = readTime(of: clock)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func readTime(of clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}

public enum ClockJumps {
    /// Returns a stream that yields an element when the wall clock is set or the computer resumes from
    /// suspend. Several jumps may be merged into one element. Uses a timer that never expires but that the
    /// kernel cancels when the clock changes.
    public static func watch() throws(SystemFailure) -> AsyncStream<Void> {
        let flags = Int32(TFD_CLOEXEC | TFD_NONBLOCK)
        let timer = try Descriptor(timerfd_create(CLOCK_REALTIME, flags), resultOf: "timerfd_create")
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let mode = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer.number, mode, &never, nil) == 0 else {
            throw SystemFailure("timerfd_settime")
        }
        return DescriptorEvents.makeStream(of: timer) { number in
            var expirations: UInt64 = 0
            return read(number, &expirations, 8) < 0 && errno == ECANCELED
        }
    }
}

public enum TimeZoneChanges {
    /// Returns a stream that yields an element when the link `localtime` in `directory` is replaced.
    /// Several changes may be merged into one element.
    public static func watch(in directory: String = "/etc") throws(SystemFailure) -> AsyncStream<Void> {
        let watcher = try Inotify.makeInstance()
        let mask = UInt32(IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE)
        guard inotify_add_watch(watcher.number, directory, mask) >= 0 else {
            throw SystemFailure("inotify_add_watch")
        }
        return DescriptorEvents.makeStream(of: watcher) { number in
            InotifyEvents.readFileNames(from: number).contains(Array("localtime".utf8))
        }
    }

    /// Returns a stream that yields an element for each change of the time zone. If the directory cannot be
    /// watched, calls `report` once and polls at `interval`.
    public static func watchOrPoll(
        in directory: String = "/etc", pollInterval interval: Duration = .seconds(30),
        onFailure report: (SystemFailure) -> Void = { _ in }
    ) -> AsyncStream<Void> {
        do throws(SystemFailure) { return try watch(in: directory) } catch { report(error) }
        let link = directory + "/localtime"
        let known = Locked(ZoneFile(link))
        return AsyncStream {
            while (try? await EventLoop.shared.sleep(for: interval)) != nil {
                let file = ZoneFile(link)
                if known.withLock({ exchange(&$0, with: file) }) != file { return () }
            }
            return nil
        }
    }

    /// The attributes of the time zone file that change when the file is replaced.
    private struct ZoneFile: Equatable, Sendable {
        let (device, inode): (UInt, UInt)
        let changed: Int

        init(_ path: String) {
            var status = stat()
            // If the file does not exist (the time zone is then UTC), all fields are 0.
            _ = stat(path, &status)
            (device, inode, changed) = (UInt(status.st_dev), UInt(status.st_ino), status.st_mtim.tv_sec)
        }
    }
}

public enum HostName {
    /// The host name without its domain, such as `laptop`; `linux` if the host has no name.
    public static var current: String {
        var name = [CChar](repeating: 0, count: 256)
        let failed = gethostname(&name, name.count - 1)
        let bytes = name.map(UInt8.init(bitPattern:))
        let first = String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }, as: UTF8.self)
        return failed != 0 || first.isEmpty ? "linux" : first
    }
}
