/// The delays of clients that lost their server simultaneously.
///
/// A client detects that the server is available again only when it makes its next attempt. Therefore, the
/// share of clients that reconnect in the first second is the share whose next attempt is in that second.
/// With delays that double from one second, this share would be 15 % after an outage of 10 s. To reduce the
/// share, the delays grow with the length of the outage: after 10 s, a client makes an attempt about every 20
/// s. The first delay is short, because most connections fail without an outage.
public enum ReconnectSpread {
    /// Returns the range of the next delay, which is uniformly distributed.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts since the connection was lost.
    ///   - elapsed: the sum of the delays since the connection was lost.
    public static func delayRange(failures: Int, elapsed: Duration) -> ClosedRange<Duration> {
        switch failures {
        case 0: return shortest ... .seconds(1)
        // With this delay, all clients make their second attempt within 10 s of the loss.
        case 1: return shortest ... .seconds(9)
        default:
            let latest = min(cap, .milliseconds(12_500) + elapsed * 1.5)
            return min(latest, minimumDelay(afterOutage: elapsed))...latest
        }
    }

    /// Returns the lower bound of the delay, which prevents many attempts with short random delays. In long
    /// outages, the bound shrinks to `shortest`, because the range is then wide enough, and a higher bound
    /// would only delay the reconnect.
    private static func minimumDelay(afterOutage elapsed: Duration) -> Duration {
        let fading = min(1, max(0, (.seconds(120) - elapsed) / .seconds(60)))
        return max(shortest, min(elapsed, .seconds(10)) * fading)
    }

    static let shortest: Duration = .milliseconds(100)
    public static let cap: Duration = .seconds(300)
}
