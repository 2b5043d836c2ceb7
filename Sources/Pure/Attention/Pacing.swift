public import CutieAPI
public import Inbox

/// Names a message.
public struct MessageKey: Hashable, Sendable {
    let account: AccountID
    let id: Message.ID

    public init(_ id: Message.ID, of account: AccountID) { (self.account, self.id) = (account, id) }
}

/// How fast a notification server is asked: a burst and then a steady rate, the summary once a second, and ever
/// less often what it does not take. Times are of a clock that nobody sets.
public struct Pacing: Sendable {
    /// The summary is updated at most once in this time.
    public static let summaryInterval: Duration = .seconds(1)
    /// After so many refusals, which take minutes, a message is given up.
    static let mostRefusals = 10
    /// Longer than the wait between two tries: what was not tried again was read, or is held for a reason.
    private static let memory: Duration = .seconds(60)

    private var bucket: TokenBucket
    private var retry: Backoff
    private var summaryShownAt: Duration?
    /// How often the server refused each of these.
    private var refusals: [MessageKey: Int] = [:]
    /// What comes before it is no try of its own: other replies go on coming while a server refuses.
    private var refusedUntil: Duration = .zero

    public init(retry: Backoff = Backoff(base: .seconds(1), cap: .seconds(30)), now: Duration) {
        self.retry = retry
        bucket = TokenBucket(burst: 50, perSecond: 20, now: now)
    }

    /// Reserves one more pop-up. Else the server has had enough for now: tells when there is one again.
    mutating func reserve(now: Duration) -> Duration? { bucket.takeToken(now: now).map { now + $0 } }

    /// When to ask again, after one more time that nobody answered or a server went.
    mutating func nextTry(now: Duration) -> Duration { now + retry.next(random: 1) }

    /// The server took a pop-up, with these messages: the next trouble is the first again, unless it refuses
    /// something else still.
    mutating func noteShown(_ messages: [MessageKey], now: Duration) {
        if !refusals.isEmpty { for message in messages { refusals[message] = nil } }
        if areRefusalsOver(at: now) { retry.reset() }
    }

    mutating func noteSummary(now: Duration) { summaryShownAt = now }

    /// When the summary may be shown again; nil: now.
    func summaryTime(now: Duration) -> Duration? {
        guard let last = summaryShownAt, now - last < Self.summaryInterval else { return nil }
        return last + Self.summaryInterval
    }

    /// How often one of them was refused already.
    func refusalCount(of messages: [MessageKey]) -> Int {
        refusals.isEmpty ? 0 : messages.map { refusals[$0] ?? 0 }.max() ?? 0
    }

    /// They were refused. Those that were refused too often are `lost`; the others are tried again at `nextTry`.
    mutating func noteRefused(_ messages: [MessageKey], now: Duration) -> (
        lost: [MessageKey], nextTry: Duration
    ) {
        guard now >= refusedUntil else { return ([], refusedUntil) }
        if areRefusalsOver(at: now) { retry.reset() }
        refusedUntil = nextTry(now: now)
        var lost: [MessageKey] = []
        for message in messages {
            let count = refusals[message, default: 0] + 1
            refusals[message] = count < Self.mostRefusals ? count : nil
            if count >= Self.mostRefusals { lost.append(message) }
        }
        return (lost, refusedUntil)
    }

    /// Whether nothing is known to be refused still.
    private mutating func areRefusalsOver(at now: Duration) -> Bool {
        if now > refusedUntil + Self.memory { refusals.removeAll() }
        return refusals.isEmpty
    }
}
