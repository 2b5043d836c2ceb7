/// A token bucket, which allows a burst and then a steady rate. Times are offsets on the caller's monotonic
/// clock.
public struct NotificationRateLimiter: Sendable {
    private let burst: Double
    private let rate: Double
    private var tokens: Double
    private var filled: Duration

    /// - Parameters:
    ///   - burst: the capacity of the bucket.
    ///   - perSecond: the number of tokens that are added per second.
    public init(burst: Int, perSecond: Int, now: Duration) {
        self.burst = Double(burst)
        rate = Double(perSecond)
        tokens = Double(burst)
        filled = now
    }

    /// Takes a token and returns `nil`. If no token is left, returns the time until the next token.
    public mutating func consumeToken(now: Duration) -> Duration? {
        tokens = min(burst, tokens + (now - filled) / .seconds(1) * rate)
        filled = now
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return .seconds((1 - tokens) / rate)
    }
}
