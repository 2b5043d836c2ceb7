/// Which transport to use now: starts at the best one allowed, steps down on evidence, and tries
/// upward again later. Time is an offset of the caller's clock.
public struct Ladder: Sendable {
    /// After a step down the better rungs are tried again this much later, doubling up to `longest`.
    static let firstRetry: Duration = .seconds(300)
    static let longestRetry: Duration = .seconds(6 * 3600)

    public private(set) var rung: Rung
    /// Why it is not the best allowed one, for the person.
    public private(set) var reason: String?
    /// The stream was accepted and nothing came on it: something on the way buffers.
    public private(set) var isHeldBack = false
    private let best: Rung
    private let worst: Rung
    private var climbAt: Duration?
    private var retry = Ladder.firstRetry

    /// `only`: the configured transport, nil for auto.
    public init(only: Rung? = nil) {
        best = only ?? .stream
        worst = only ?? .poll
        rung = best
    }

    public var isLast: Bool { rung == worst }

    /// This rung does not work here: the next one, or false where there is none below. `floor`: the server does
    /// not want to be asked for it any sooner.
    public mutating func stepDown(
        because reason: String, isHeldBack: Bool = false, floor: Duration? = nil, now: Duration
    ) -> Bool {
        guard rung < worst, let next = Rung(rawValue: rung.rawValue + 1) else { return false }
        rung = next
        if isHeldBack { self.isHeldBack = true }
        self.reason = self.reason.map { "\($0); \(reason)" } ?? reason
        if climbAt == nil {
            climbAt = now + retry
            retry = min(retry * 2, Self.longestRetry)
        }
        if let floor { climbAt = max(climbAt ?? now, now + floor) }
        return true
    }

    /// When the better rungs are tried again; nil on the best one.
    public var nextClimb: Duration? { climbAt }

    /// Back to the best rung where it is time, or at once when the network changed.
    public mutating func climb(now: Duration, atOnce: Bool = false) -> Bool {
        guard let due = climbAt, atOnce || now >= due else { return false }
        rung = best
        reason = nil
        isHeldBack = false
        climbAt = nil
        return true
    }

    /// This rung works; on the best one the patience starts anew.
    public mutating func worked() {
        if rung == best { retry = Self.firstRetry }
    }
}
