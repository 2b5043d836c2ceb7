import AccessAPI
import Domain
import Reasons

/// A token bucket that limits the cost of an app's calls: a burst, then a rate per second.
struct RequestRateLimiter: Hashable, Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var refilledAt: Duration

    /// Creates a full bucket. `now`: the time of the monotonic clock.
    init(capacity: Double, perSecond: Double, now: Duration) {
        (self.capacity, self.perSecond, tokens, refilledAt) = (capacity, perSecond, capacity, now)
    }

    /// Consumes `cost` tokens. Returns `false`, and consumes no tokens, if the bucket contains fewer tokens.
    mutating func consumeTokens(_ cost: Double, now: Duration) -> Bool {
        refill(at: now)
        guard tokens >= cost else { return false }
        tokens -= cost
        return true
    }

    /// Returns whether the bucket is full, and thus equal to a new bucket.
    mutating func isFull(now: Duration) -> Bool {
        refill(at: now)
        return tokens >= capacity
    }

    private mutating func refill(at now: Duration) {
        tokens = min(capacity, tokens + max(0, (now - refilledAt) / .seconds(1)) * perSecond)
        refilledAt = max(refilledAt, now)
    }
}

/// The limits of each app. Apps that cannot be distinguished share one set of limits.
struct PeerRateLimits {
    private struct Buckets {
        var calls: RequestRateLimiter
        var bytes: RequestRateLimiter
    }

    private let limits: AccessLimits
    private var accounts: [AppIdentity?: Buckets] = [:]

    init(_ limits: AccessLimits) { self.limits = limits }

    /// Counts the call and its bytes. Throws if the app has exceeded its limits.
    mutating func charge(bytes: Int, to app: AppIdentity, now: Duration) throws(TooManyRequests) {
        let key = app.isPersistent ? app : nil
        var account = accounts[key] ?? makeBuckets(at: now)
        defer { accounts[key] = account }
        guard account.calls.consumeTokens(1, now: now) else {
            throw TooManyRequests(reason: "").withReason(Reason(.tooManyCalls))
        }
        guard account.bytes.consumeTokens(Double(bytes), now: now) else {
            throw TooManyRequests(reason: "").withReason(Reason(.tooMuchData))
        }
    }

    private mutating func makeBuckets(at now: Duration) -> Buckets {
        removeIdleBuckets(at: now)
        return Buckets(
            calls: RequestRateLimiter(capacity: limits.calls, perSecond: limits.callsPerSecond, now: now),
            bytes: RequestRateLimiter(capacity: limits.bytes, perSecond: limits.bytesPerSecond, now: now))
    }

    /// If the maximum number of apps is reached, removes apps with full buckets, because a new bucket is
    /// identical. If no bucket is full, removes all apps.
    private mutating func removeIdleBuckets(at now: Duration) {
        guard accounts.count >= limits.apps else { return }
        for (app, var account) in accounts
        where account.calls.isFull(now: now) && account.bytes.isFull(now: now) {
            accounts[app] = nil
        }
        // Too many apps are still active. Reset all limits to bound the memory use.
        if accounts.count >= limits.apps { accounts = [:] }
    }
}

/// The limits that apply to each app, and to all apps together.
package struct AccessLimits: Hashable, Sendable {
    /// The maximum number of calls: in a burst, and per second after that.
    package var calls = 60.0
    package var callsPerSecond = 10.0
    /// The maximum size of the calls' parameters in bytes: in a burst, and per second after that.
    package var bytes = Double(4 << 20)
    package var bytesPerSecond = Double(256 << 10)
    /// The maximum number of apps whose limits are stored.
    package var apps = 256
    /// The maximum number of pending questions to the user, for all apps. Each app can have one pending
    /// question.
    package var questions = 8
    /// The maximum number of callers that wait for the same reply.
    package var waiting = 16
    /// The minimum delay before an empty list of services is returned. An empty list means a refusal.
    package var refusal: Duration = .seconds(1)

    package init() {}
}
