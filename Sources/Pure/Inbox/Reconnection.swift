/// When a connection that has ended is made again. Values in, values out.
public struct Reconnection: Sendable {
    /// Why it ended.
    public enum Cause: Hashable, Sendable {
        /// To begin anew at once.
        case restart
        /// Nothing can be reached before the network changes.
        case noNetwork
        /// It may heal.
        case fault(Ladder.Fault)
        /// The API refuses the account, in a sentence.
        case refusal(String)
        /// What the API told could not be written down here, in a sentence; it was not at fault.
        case notStored(String)
    }

    /// What to do before the next attempt. A change of the network, or a person, ends each of them.
    public enum Pause: Hashable, Sendable {
        case none
        case untilNetworkChange
        case retry(after: Duration, because: String)
        /// It needs a person; one more look after that time.
        case stop(Duration, because: String)
    }

    /// A refusal may be lifted without a word to anybody.
    public static let stopLimit: Duration = .seconds(3600)

    private var backoff = Backoff()
    /// The API is well where the store is not: what is to be taken is not put off for as long.
    private var untilStored = Backoff(cap: .seconds(5))

    public init() {}

    /// The pause after a connection that lived for `age`; nil: none was made. After one that lived, the next failure
    /// is the first one again. One that a server ends at once, again and again, has not lived. `random` is uniform
    /// in 0..<1.
    public mutating func pause(
        after cause: Cause, age: Duration? = nil, random: () -> Double
    ) -> Pause {
        if let age, age >= Ladder.life {
            backoff.reset()
            untilStored.reset()
        }
        switch cause {
        case .restart: return .none
        case .noNetwork: return .untilNetworkChange
        case .fault(let fault): return .retry(after: wait(after: fault, random), because: fault.sentence)
        case .refusal(let reason): return .stop(Self.stopLimit, because: reason)
        case .notStored(let reason):
            return .retry(after: untilStored.next(random: random()), because: reason)
        }
    }

    private mutating func wait(after fault: Ladder.Fault, _ random: () -> Double) -> Duration {
        guard let spread = fault.spread else { return backoff.next(random: random(), floor: fault.floor) }
        return backoff.next(afterEndWith: spread, random: random)
    }

    /// What failed before may work now.
    public mutating func reset() { backoff.reset() }
}
