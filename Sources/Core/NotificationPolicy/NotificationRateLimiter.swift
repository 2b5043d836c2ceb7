/// A token bucket, which allows a burst and then a steady rate. Times are offsets on the caller's monotonic
/// clock.
public struct NotificationRateLimiter: Sendable {
    /// The time in which one token is added.
    private let interval: Duration
    /// The time in which all tokens of a full bucket except the last are added.
    private let tolerance: Duration
    /// The time at which the bucket is full again.
    private var full: Duration

    /// Creates a rate limiter.
    ///
    /// - Parameters:
    ///   - burst: the capacity of the bucket.
    ///   - perSecond: the number of tokens that are added per second.
    public init(burst: Int, perSecond: Int, now: Duration) {
        interval = .seconds(1) / perSecond
        tolerance = interval * (burst - 1)
        full = now
    }

    /// Takes a token and returns `nil`. If no token is left, returns the time until the next token.
    public mutating func consumeToken(now: Duration) -> Duration? {
        let wait = full - now - tolerance
        guard wait <= .zero else { return wait }
        full = max(full, now) + interval
        return nil
    }
}
