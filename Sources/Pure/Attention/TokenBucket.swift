/// Lets a burst pass and then a steady rate. Time is an offset of the caller's clock.
public struct TokenBucket: Sendable {
    private let burst: Double
    private let rate: Double
    private var tokens: Double
    private var filled: Duration

    /// `perSecond`: how many a second once `burst` of them are used up.
    public init(burst: Int, perSecond: Int, now: Duration) {
        self.burst = Double(burst)
        rate = Double(perSecond)
        tokens = Double(burst)
        filled = now
    }

    /// Takes one, or tells how long until there is one.
    public mutating func takeToken(now: Duration) -> Duration? {
        tokens = min(burst, tokens + (now - filled) / .seconds(1) * rate)
        filled = now
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return .seconds((1 - tokens) / rate)
    }
}
