import AccessAPI

/// What one app may cost: so many at once, and so many a second after that.
struct TokenBucket: Hashable, Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var at: Duration

    /// Full at `now`, of a clock that only goes forward.
    init(capacity: Double, perSecond: Double, now: Duration) {
        (self.capacity, self.perSecond, tokens, at) = (capacity, perSecond, capacity, now)
    }

    /// False where there are too few; then none are taken.
    mutating func take(_ cost: Double, now: Duration) -> Bool {
        fill(now)
        guard tokens >= cost else { return false }
        tokens -= cost
        return true
    }

    /// Whether it is as good as new.
    mutating func isFull(now: Duration) -> Bool {
        fill(now)
        return tokens >= capacity
    }

    private mutating func fill(_ now: Duration) {
        tokens = min(capacity, tokens + max(0, (now - at) / .seconds(1)) * perSecond)
        at = max(at, now)
    }
}

/// What the apps may cost, each by itself. Those that nothing tells apart share what one of them has.
struct PeerLimits {
    private struct Account {
        var calls: TokenBucket
        var bytes: TokenBucket
    }

    private let limits: AccessLimits
    private var accounts: [AppIdentity?: Account] = [:]

    init(_ limits: AccessLimits) { self.limits = limits }

    /// Throws where the app has had what it may have.
    mutating func take(bytes: Int, of app: AppIdentity, now: Duration) throws(TooManyRequests) {
        let key = app.isLasting ? app : nil
        var account = accounts[key] ?? new(now)
        defer { accounts[key] = account }
        guard account.calls.take(1, now: now) else {
            throw TooManyRequests(reason: "too many calls; wait a second")
        }
        guard account.bytes.take(Double(bytes), now: now) else {
            throw TooManyRequests(reason: "too much was sent; wait a while")
        }
    }

    private mutating func new(_ now: Duration) -> Account {
        forgetTheIdle(now)
        return Account(
            calls: TokenBucket(capacity: limits.calls, perSecond: limits.callsPerSecond, now: now),
            bytes: TokenBucket(capacity: limits.bytes, perSecond: limits.bytesPerSecond, now: now))
    }

    /// What is full again is the same when it is made anew.
    private mutating func forgetTheIdle(_ now: Duration) {
        guard accounts.count >= limits.apps else { return }
        for (app, var account) in accounts
        where account.calls.isFull(now: now) && account.bytes.isFull(now: now) {
            accounts[app] = nil
        }
        // More apps at once than a person has: the others start again, and none is kept for ever.
        if accounts.count >= limits.apps { accounts = [:] }
    }
}

/// What apps may cost the daemon.
package struct AccessLimits: Hashable, Sendable {
    /// At once, and after that.
    package var calls = 60.0
    package var callsPerSecond = 10.0
    /// Of the calls' parameters, at once, and after that.
    package var bytes = Double(4 << 20)
    package var bytesPerSecond = Double(256 << 10)
    /// Apps whose costs are remembered.
    package var apps = 256
    /// Questions to the person that are open at once, of all apps; one app has one.
    package var questions = 8
    /// Callers that wait for the same answer.
    package var waiting = 16
    /// An empty list comes no sooner.
    package var refusal: Duration = .seconds(1)

    package init() {}
}
