public import CutieAPI
public import FeedPolicy

/// The account and the ID of a message.
public struct MessageKey: Hashable, Sendable {
    let account: AccountID
    let id: Message.ID

    public init(_ id: Message.ID, of account: AccountID) { (self.account, self.id) = (account, id) }
}

/// Rate limits for notifications: a burst and then a steady rate, at most one summary per second, and a
/// backoff after rejections. All times are monotonic.
public struct NotificationPacing: Sendable {
    /// The minimum time between two updates of the summary.
    public static let summaryInterval: Duration = .seconds(1)
    /// The number of rejections after which a message is abandoned. Because of the backoff, that many
    /// rejections take more than two minutes.
    static let maxRefusals = 10
    /// The time after which rejections are forgotten. The time exceeds the maximum backoff, so a message
    /// without another attempt during this time has been read or is held.
    private static let refusalMemory: Duration = .seconds(60)

    private var bucket: NotificationRateLimiter
    private var retry: Backoff
    private var summaryShownAt: Duration?
    /// The number of rejections of each message.
    private var refusals: [MessageKey: Int] = [:]
    /// The earliest time of the next regular attempt after a rejection. A new reply can trigger an attempt
    /// before this time; if the server rejects that attempt, the rejection is not counted.
    private var refusedUntil: Duration = .zero

    public init(retry: Backoff = Backoff(base: .seconds(1), cap: .seconds(30)), now: Duration) {
        self.retry = retry
        bucket = NotificationRateLimiter(burst: 50, perSecond: 20, now: now)
    }

    /// Consumes a token for one notification and returns `nil`; if no token is left, returns the time at
    /// which the next token is available.
    mutating func consumeDisplayToken(now: Duration) -> Duration? {
        bucket.consumeToken(now: now).map { now + $0 }
    }

    /// Returns the time of the next attempt after a failed query, a lost server or a rejection. Each call
    /// increases the backoff.
    mutating func delayNextAttempt(now: Duration) -> Duration { now + retry.nextDelay(random: 1) }

    /// Records that the server accepted a notification with these messages. Resets the backoff if no
    /// rejection of another message is recorded.
    mutating func recordShown(_ messages: [MessageKey], now: Duration) {
        if !refusals.isEmpty { for message in messages { refusals[message] = nil } }
        if discardExpiredRefusals(at: now) { retry.reset() }
    }

    mutating func recordSummaryShown(now: Duration) { summaryShownAt = now }

    /// Returns the earliest time at which the summary may be shown again; `nil` if it may be shown now.
    func nextSummaryTime(now: Duration) -> Duration? {
        guard let last = summaryShownAt, now - last < Self.summaryInterval else { return nil }
        return last + Self.summaryInterval
    }

    /// Returns the highest number of rejections among `messages`.
    func refusalCount(of messages: [MessageKey]) -> Int {
        refusals.isEmpty ? 0 : messages.map { refusals[$0] ?? 0 }.max() ?? 0
    }

    /// Records a rejection. Returns the messages that were rejected too often, and the time of the next
    /// attempt.
    mutating func recordRefusal(of messages: [MessageKey], now: Duration) -> (
        lost: [MessageKey], nextTry: Duration
    ) {
        guard now >= refusedUntil else { return ([], refusedUntil) }
        if discardExpiredRefusals(at: now) { retry.reset() }
        refusedUntil = delayNextAttempt(now: now)
        var lost: [MessageKey] = []
        for message in messages {
            let count = refusals[message, default: 0] + 1
            refusals[message] = count < Self.maxRefusals ? count : nil
            if count >= Self.maxRefusals { lost.append(message) }
        }
        return (lost, refusedUntil)
    }

    /// Removes expired rejections. Returns whether no rejection remains.
    private mutating func discardExpiredRefusals(at now: Duration) -> Bool {
        if now > refusedUntil + Self.refusalMemory { refusals.removeAll() }
        return refusals.isEmpty
    }
}

/// A token bucket, which allows a burst and then a steady rate. Times are offsets on the caller's monotonic
/// clock.
public struct NotificationRateLimiter: Sendable {
    /// The time in which one token is added.
    private let interval: Duration
    /// The time needed to add all tokens of a full bucket but one.
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

    /// Consumes a token and returns `nil`; if no token is left, returns the time until the next token.
    public mutating func consumeToken(now: Duration) -> Duration? {
        let wait = full - now - tolerance
        guard wait <= .zero else { return wait }
        full = max(full, now) + interval
        return nil
    }
}
