/// The delays of clients that lost their server at the same moment.
///
/// A client only detects with its next attempt that the server is back, so the share of clients that return
/// in the first second is the share that has an attempt in that second. With delays that double from one
/// second, this share would be 15 % after an outage of 10 s. Therefore, the delays grow with the length of
/// the outage: after 10 s, a client has an attempt about every 20 s. The first delay stays short, because
/// most connections break without an outage.
public enum ReconnectSpread {
    /// Returns the range of the delay before the next attempt, which is uniform.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts since the connection was lost.
    ///   - elapsed: the sum of the delays since then.
    public static func delays(failures: Int, elapsed: Duration) -> ClosedRange<Duration> {
        switch failures {
        case 0: return shortest ... .seconds(1)
        // All clients make the second attempt within the first 10 s.
        case 1: return shortest ... .seconds(9)
        default:
            let latest = min(cap, .milliseconds(12_500) + elapsed * 1.5)
            return min(latest, earliest(after: elapsed))...latest
        }
    }

    /// Returns the minimum delay. Without a minimum, attempts with randomly short delays would accumulate.
    /// After long outages, the range is wide enough, and a minimum would only delay the return.
    private static func earliest(after elapsed: Duration) -> Duration {
        let fading = min(1, max(0, (.seconds(120) - elapsed) / .seconds(60)))
        return max(shortest, min(elapsed, .seconds(10)) * fading)
    }

    static let shortest: Duration = .milliseconds(100)
    /// The longest delay.
    public static let cap: Duration = .seconds(300)
}
