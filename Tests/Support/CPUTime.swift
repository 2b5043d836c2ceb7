import Foundation

/// Returns the processor time that `body` uses on this thread. Unlike elapsed time, processor time does not
/// include concurrent tests.
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
