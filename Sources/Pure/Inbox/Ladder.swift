/// Selects the transport for replies. Polling is used until a better transport has proved to work. A better
/// transport is tried in parallel with the working one, never instead of it.
///
/// The type is a pure state machine that returns steps. Times are offsets of the caller's clock.
public struct Ladder: Sendable {
    /// The next step for better transports.
    public enum Step: Equatable, Sendable {
        /// Try this transport in parallel with the working one.
        case open(Rung)
        /// Retry this transport after a short delay.
        case again(Rung)
        /// Try no transport before `nextClimb`.
        case rest
    }

    /// The reason why a transport does not work although the API is reachable.
    public struct Fault: Hashable, Sendable {
        /// A description for the user, without a full stop.
        public var sentence: String
        /// Whether an immediate retry would fail in the same way.
        public var isFinal: Bool
        /// Whether no data arrived for so long that a proxy probably buffers the stream.
        public var isHeldBack: Bool
        /// The minimum delay before the next attempt, requested by the server.
        public var floor: Duration?
        /// The time over which clients should return, if the server closed the stream regularly.
        public var spread: Duration?

        public init(
            _ sentence: String, isFinal: Bool = false, isHeldBack: Bool = false, floor: Duration? = nil,
            spread: Duration? = nil
        ) {
            (self.sentence, self.isFinal) = (sentence, isFinal)
            (self.isHeldBack, self.floor, self.spread) = (isHeldBack, floor, spread)
        }
    }

    /// The delay before better transports are tried again after a failure. The delay doubles up to
    /// `longestRetry`.
    static let firstRetry: Duration = .seconds(300)
    static let longestRetry: Duration = .seconds(6 * 3600)
    /// The minimum age at which received data proves that a transport works. Earlier data proves nothing: the
    /// first byte may pass a proxy that buffers the rest, or precede an immediate end.
    public static let life: Duration = .seconds(5)
    /// The number of failed attempts after which a transport is given up.
    static let mostStrikes = 2
    /// In characters. A server's error message must not fill the page.
    static let longestComplaint = 160

    /// The transport that is in use.
    public private(set) var working = Rung.poll
    /// The transport that is being tried in parallel.
    public private(set) var trial: Rung?
    /// Whether the server accepts the stream but no data arrives, because a proxy buffers it.
    public private(set) var isHeldBack = false
    /// The transports to try, best first.
    private let candidates: [Rung]
    /// The first transport to try on a new connection; `nil` if only polling is known to work.
    private var first: Rung?
    private var complaints: [Rung: String] = [:]
    /// The number of consecutive failed attempts.
    private var strikes: [Rung: Int] = [:]
    private var climbAt: Duration?
    private var retry = Ladder.firstRetry

    /// - Parameter only: the configured transport; `nil` for automatic selection.
    public init(only: Rung? = nil) {
        candidates = (only.map { [$0] } ?? [.stream, .longPoll]).filter { $0 < .poll }
        first = candidates.first
    }

    /// The reason why the best allowed transport is not in use, as a sentence; `nil` if it is in use.
    public var reason: String? {
        let better = candidates.filter { $0 < working && complaints[$0] != nil }
        if better.isEmpty { return trial.map { "the \($0.name) is still being tested" } }
        let said = better.compactMap { complaints[$0] }
        if said.count > 1, Set(said).count == 1 {
            return better.map { "no " + $0.name }.joined(separator: " and ") + " (\(said[0]))"
        }
        return zip(better, said).map { "no \($0.name) (\($1))" }.joined(separator: ", ")
    }

    /// The time at which better transports are tried again; `nil` during a trial, or if there is no better
    /// transport.
    public var nextClimb: Duration? {
        guard trial == nil, let best = candidates.first, best < working else { return nil }
        return climbAt
    }

    /// Whether the transport being tried has no failed attempts, so that the first data received is
    /// sufficient.
    public var isTrusting: Bool { trial.map { strikes[$0, default: 0] == 0 } ?? false }

    /// Starts a new connection.
    public mutating func begin(now: Duration) -> Step {
        working = .poll
        trial = nil
        if let climbAt, now >= climbAt { return climb() }
        return open(first)
    }

    /// Allows failed transports to be tried again after a change of the network or a request by the user.
    /// They need more than the first data to prove that they work.
    public mutating func doubt() {
        first = candidates.first
        climbAt = nil
        forgive()
    }

    /// Starts another trial of the better transports.
    public mutating func climb() -> Step {
        doubt()
        return open(first.flatMap { $0 < working ? $0 : nil })
    }

    /// Records received data.
    ///
    /// - Parameter age: the time since the transport was opened.
    /// - Returns: `true` if this transport is now the one in use.
    public mutating func heard(on rung: Rung, after age: Duration) -> Bool {
        if age >= Self.life { strikes[rung] = 0 }
        guard rung < working, strikes[rung, default: 0] == 0 else { return false }
        (working, first, trial) = (rung, rung, nil)
        complaints[rung] = nil
        if rung == candidates.first {
            (complaints, isHeldBack, climbAt, retry) = ([:], false, nil, Self.firstRetry)
        }
        return true
    }

    /// Records that the transport being tried failed while polling works.
    public mutating func failed(_ rung: Rung, _ fault: Fault, now: Duration) -> Step {
        guard isOver(rung, fault) else { return .again(rung) }
        giveUp(rung, fault, now: now)
        let next = candidates.first { $0 > rung && $0 < working }
        first = next ?? (working < .poll ? working : nil)
        return open(next)
    }

    /// Records that the transport in use failed. A transport that did not prove stable is given up after the
    /// second failure, and the next connection starts with the remaining ones.
    ///
    /// - Parameter age: the time between its opening and the last received data.
    public mutating func lost(_ rung: Rung, heardLastAfter age: Duration, _ fault: Fault, now: Duration) {
        guard age < Self.life || fault.isFinal, isOver(rung, fault) else { return }
        giveUp(rung, fault, now: now)
        first = candidates.first { $0 > rung }
    }

    private mutating func open(_ rung: Rung?) -> Step {
        trial = rung
        return rung.map(Step.open) ?? .rest
    }

    private mutating func isOver(_ rung: Rung, _ fault: Fault) -> Bool {
        strikes[rung, default: 0] += fault.isFinal || fault.isHeldBack ? Self.mostStrikes : 1
        return strikes[rung, default: 0] >= Self.mostStrikes
    }

    private mutating func giveUp(_ rung: Rung, _ fault: Fault, now: Duration) {
        complaints[rung] = Self.cut(fault.sentence)
        if rung == .stream { isHeldBack = fault.isHeldBack }
        if climbAt == nil {
            climbAt = now + retry
            retry = min(retry * 2, Self.longestRetry)
        }
        if let floor = fault.floor { climbAt = max(climbAt ?? now, now + floor) }
    }

    /// Allows one more attempt for each transport, without resetting the history.
    private mutating func forgive() {
        strikes = strikes.mapValues { min($0, Self.mostStrikes - 1) }
    }

    private static func cut(_ sentence: String) -> String {
        sentence.count > longestComplaint ? sentence.prefix(longestComplaint - 1) + "…" : sentence
    }
}
