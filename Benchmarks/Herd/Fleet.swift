import FeedPolicy

/// A simulated fleet of daemons that lose the connection to the server at the same moment. Each daemon
/// reconnects with the backoff policy of the real daemon.
struct Fleet {
    /// The way in which the server becomes unavailable.
    enum OutageKind {
        /// All connections break, and the server stops responding.
        case broken
        /// The server closes every stream gracefully, as before an update, and then stops responding.
        case ended(retry: Duration)
        /// A proxy in front of the server responds with 503 and Retry-After.
        case refused(floor: Duration)
    }

    let size: Int
    private let backoff: Backoff
    private var chance: RandomGenerator

    init(size: Int, seed: UInt64, backoff: Backoff = .reconnecting) {
        (self.size, self.backoff) = (size, backoff)
        chance = RandomGenerator(state: seed)
    }

    /// Returns the distribution of reconnect times. The outage starts at time 0 and ends at time `outage`.
    mutating func simulateArrivals(after kind: OutageKind, lasting outage: Duration) -> Arrivals {
        var arrivals = Arrivals(fleet: size)
        for wait in simulateWaits(after: kind, lasting: outage) { arrivals.add(wait) }
        return arrivals
    }

    /// Returns the time from the end of the outage to the reconnect, for each daemon.
    mutating func simulateWaits(after kind: OutageKind, lasting outage: Duration) -> [Duration] {
        (0..<size).map { _ in simulateArrival(after: kind, lasting: outage) - outage }
    }

    private mutating func simulateArrival(after kind: OutageKind, lasting outage: Duration) -> Duration {
        var backoff = backoff
        var floor: Duration?
        var time: Duration
        switch kind {
        case .broken: time = backoff.nextDelay(random: chance.next())
        case .ended(let retry):
            time = backoff.nextDelayAfterNormalStreamEnd(spreadingOver: retry, random: { chance.next() })
        case .refused(let asked):
            floor = asked
            time = backoff.nextDelay(random: chance.next(), minimumDelay: asked)
        }
        while time < outage { time += backoff.nextDelay(random: chance.next(), minimumDelay: floor) }
        return time
    }
}

/// A histogram: the number of daemons that reconnected in each second after the outage.
struct Arrivals {
    let fleet: Int
    private(set) var perSecond: [Int] = []

    init(fleet: Int) { self.fleet = fleet }

    mutating func add(_ time: Duration) {
        let second = Int(time.components.seconds)
        while perSecond.count <= second { perSecond.append(0) }
        perSecond[second] += 1
    }

    /// The largest share of the fleet that reconnected within one second.
    var peakShare: Double { Double(perSecond.max() ?? 0) / Double(fleet) }

    /// The share of the fleet that reconnected within one second after the outage.
    var shareInFirstSecond: Double { Double(perSecond.first ?? 0) / Double(fleet) }

    /// The first second with a reconnect, counted from the end of the outage; `nil` if no daemon
    /// reconnected.
    var first: Int? { perSecond.firstIndex { $0 > 0 } }
}

/// A seeded pseudorandom number generator (SplitMix64).
struct RandomGenerator {
    var state: UInt64

    /// Returns a random number, uniform in 0..<1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
