import Foundation

/// Returns the CPU time that `body` uses on this thread. Unlike elapsed time, it does not include the
/// time of tests that run concurrently.
public func cpuTime(_ body: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let begin = now()
    body()
    return now() - begin
}
