/// Which transport brings replies. Poll does, until a better one has proved itself: that one is tried beside
/// what works, never instead of it. Values in, steps out; time is an offset of the caller's clock.
public struct Ladder: Sendable {
    /// What to do about the better transports.
    public enum Step: Equatable, Sendable {
        /// Try this one beside what works.
        case open(Rung)
        /// Once more, after a moment.
        case again(Rung)
        /// None is tried before `nextClimb`.
        case rest
    }

    /// Why a transport brings nothing although the API is there.
    public struct Fault: Hashable, Sendable {
        /// For the person; no full stop.
        public var sentence: String
        /// Another try now would end the same way.
        public var isFinal: Bool
        /// Nothing came on it for so long that something on the way must be keeping it.
        public var isHeldBack: Bool
        /// The server does not want to be asked for it any sooner.
        public var floor: Duration?
        /// The server ended it properly, and wants its clients back within this time.
        public var spread: Duration?

        public init(
            _ sentence: String, isFinal: Bool = false, isHeldBack: Bool = false, floor: Duration? = nil,
            spread: Duration? = nil
        ) {
            (self.sentence, self.isFinal) = (sentence, isFinal)
            (self.isHeldBack, self.floor, self.spread) = (isHeldBack, floor, spread)
        }
    }

    /// After a vain try the better ones are tried again this much later, doubling up to `longestRetry`.
    static let firstRetry: Duration = .seconds(300)
    static let longestRetry: Duration = .seconds(6 * 3600)
    /// What is heard so long after the opening shows that a transport lives: a first byte comes through where
    /// the rest is held back, and before an end at once.
    public static let life: Duration = .seconds(5)
    /// So many tries in vain are enough.
    static let mostStrikes = 2
    /// A server's words are not to fill the page.
    static let longestComplaint = 160

    /// What brings replies.
    public private(set) var working = Rung.poll
    /// What is tried beside it.
    public private(set) var trial: Rung?
    /// The stream is not refused, and nothing comes on it: something on the way buffers.
    public private(set) var isHeldBack = false
    /// Those worth a try, best first.
    private let candidates: [Rung]
    /// What a new connection tries first; nil where nothing better than poll is known to work.
    private var first: Rung?
    private var complaints: [Rung: String] = [:]
    /// Tries in vain, one after another.
    private var strikes: [Rung: Int] = [:]
    private var climbAt: Duration?
    private var retry = Ladder.firstRetry

    /// `only`: the configured transport, nil for auto.
    public init(only: Rung? = nil) {
        candidates = (only.map { [$0] } ?? [.stream, .longPoll]).filter { $0 < .poll }
        first = candidates.first
    }

    /// Why it is not the best allowed one, in a sentence; nil where it is.
    public var reason: String? {
        let better = candidates.filter { $0 < working && complaints[$0] != nil }
        if better.isEmpty { return trial.map { "the \($0.name) has not proved itself yet" } }
        let said = better.compactMap { complaints[$0] }
        if said.count > 1, Set(said).count == 1 {
            return better.map { "no " + $0.name }.joined(separator: " and ") + " (\(said[0]))"
        }
        return zip(better, said).map { "no \($0.name) (\($1))" }.joined(separator: ", ")
    }

    /// When the better ones are tried again; nil while one is, or none is better.
    public var nextClimb: Duration? {
        guard trial == nil, let best = candidates.first, best < working else { return nil }
        return climbAt
    }

    /// Nothing speaks against what is tried: its first sign counts.
    public var isTrusting: Bool { trial.map { strikes[$0, default: 0] == 0 } ?? false }

    /// A connection is made anew.
    public mutating func begin(now: Duration) -> Step {
        working = .poll
        trial = nil
        if let climbAt, now >= climbAt { return climb() }
        return open(first)
    }

    /// Another network, or the person: what failed before may work now. It has to show more than a first sign.
    public mutating func doubt() {
        first = candidates.first
        climbAt = nil
        forgive()
    }

    /// It is time to try the better ones again.
    public mutating func climb() -> Step {
        doubt()
        return open(first.flatMap { $0 < working ? $0 : nil })
    }

    /// A byte or an answer came so long after the opening. True where it is the one that works from now on.
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

    /// What was tried did not prove itself while conversations are listed.
    public mutating func failed(_ rung: Rung, _ fault: Fault, now: Duration) -> Step {
        guard isOver(rung, fault) else { return .again(rung) }
        giveUp(rung, fault, now: now)
        let next = candidates.first { $0 > rung && $0 < working }
        first = next ?? (working < .poll ? working : nil)
        return open(next)
    }

    /// What worked broke, and had been heard last so long after its opening: one that did not live is given up
    /// the second time. The next connection begins with what is left.
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

    /// One more try each, with nothing forgotten.
    private mutating func forgive() {
        strikes = strikes.mapValues { min($0, Self.mostStrikes - 1) }
    }

    private static func cut(_ sentence: String) -> String {
        sentence.count > longestComplaint ? sentence.prefix(longestComplaint - 1) + "…" : sentence
    }
}
