import Inbox

/// Daemons that lose their server at the same moment, and come back by the product's own backoff.
struct Fleet {
    /// How the server went, and what it says while it is not back.
    enum Loss {
        /// Connections break, and nobody answers.
        case broken
        /// The server ends every stream properly, as for an update; then nobody answers.
        case ended(retry: Duration)
        /// Something in front of it answers 503 with Retry-After.
        case refused(floor: Duration)
    }

    let size: Int
    private var chance: Chance

    init(size: Int, seed: UInt64) {
        self.size = size
        chance = Chance(state: seed)
    }

    /// When the daemons reach the server again that was lost at 0 and is back at `outage`.
    mutating func arrivals(after loss: Loss, outage: Duration) -> Arrivals {
        var arrivals = Arrivals(fleet: size)
        for _ in 0..<size { arrivals.note(arrival(after: loss, outage: outage) - outage) }
        return arrivals
    }

    private mutating func arrival(after loss: Loss, outage: Duration) -> Duration {
        var backoff = Backoff()
        var floor: Duration?
        var time: Duration
        switch loss {
        case .broken: time = backoff.next(random: chance.next())
        case .ended(let retry): time = backoff.next(afterEndWith: retry, random: { chance.next() })
        case .refused(let asked):
            floor = asked
            time = backoff.next(random: chance.next(), floor: asked)
        }
        while time < outage { time += backoff.next(random: chance.next(), floor: floor) }
        return time
    }
}

/// How many came in each second after the server was back.
struct Arrivals {
    let fleet: Int
    private(set) var perSecond: [Int] = []

    init(fleet: Int) { self.fleet = fleet }

    mutating func note(_ time: Duration) {
        let second = Int(time.components.seconds)
        while perSecond.count <= second { perSecond.append(0) }
        perSecond[second] += 1
    }

    /// The busiest second's share of the fleet.
    var peak: Double { Double(perSecond.max() ?? 0) / Double(fleet) }

    /// The first second in which anybody came.
    var first: Int? { perSecond.firstIndex { $0 > 0 } }
}

/// SplitMix64: the same seed, the same herd.
struct Chance {
    var state: UInt64

    /// Uniform in 0..<1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
