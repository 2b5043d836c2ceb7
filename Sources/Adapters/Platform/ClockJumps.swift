import CLinux
import Glibc
import Threads

/// Tells when the wall clock was set and when the machine wakes from suspend.
public enum ClockJumps {
    /// An element for each jump, or for several at once. Costs nothing in between: the kernel cancels a timer
    /// that never fires, for a clock that is set and for one that is put right at a resume.
    public static func watch() throws(SystemFailure) -> AsyncStream<Void> {
        let flags = Int32(TFD_CLOEXEC | TFD_NONBLOCK)
        let timer = try Descriptor(timerfd_create(CLOCK_REALTIME, flags), from: "timerfd_create")
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let mode = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer.number, mode, &never, nil) == 0 else {
            throw SystemFailure("timerfd_settime")
        }
        return DescriptorEvents.stream(of: timer) { number in
            var expirations: UInt64 = 0
            return read(number, &expirations, 8) < 0 && errno == ECANCELED
        }
    }
}
