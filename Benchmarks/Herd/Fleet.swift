import FeedPolicy

/// A simulated fleet of daemons that lose their server at the same moment and reconnect with the backoff of
/// the daemon.
struct Fleet {
    /// The way in which the server becomes unavailable.
    enum Loss {
        /// Connections break, and the server does not respond.
        case broken
        /// The server closes all streams properly, as before an update, and then does not respond.
        case ended(retry: Duration)
        /// A proxy in front of the server responds with 503 and Retry-After.
        case refused(floor: Duration)
    }

    let size: Int
    private let backoff: Backoff
    private var chance: Chance

    init(size: Int, seed: UInt64, backoff: Backoff = .reconnecting) {
        (self.size, self.backoff) = (size, backoff)
        chance = Chance(state: seed)
    }

    /// Returns the times at which the daemons reach the server again. The server is lost at time 0 and is
    /// back at time `outage`.
    mutating func arrivals(after loss: Loss, outage: Duration) -> Arrivals {
        var arrivals = Arrivals(fleet: size)
        for wait in waits(after: loss, outage: outage) { arrivals.note(wait) }
        return arrivals
    }

    /// Returns how long each daemon waits after the server is back.
    mutating func waits(after loss: Loss, outage: Duration) -> [Duration] {
        (0..<size).map { _ in arrival(after: loss, outage: outage) - outage }
    }

    private mutating func arrival(after loss: Loss, outage: Duration) -> Duration {
        var backoff = backoff
        var floor: Duration?
        var time: Duration
        switch loss {
        case .broken: time = backoff.nextDelay(random: chance.next())
        case .ended(let retry): time = backoff.nextDelay(afterRegularEnd: retry, random: { chance.next() })
        case .refused(let asked):
            floor = asked
            time = backoff.nextDelay(random: chance.next(), floor: asked)
        }
        while time < outage { time += backoff.nextDelay(random: chance.next(), floor: floor) }
        return time
    }
}

/// The number of daemons that reconnected in each second after the server was back.
struct Arrivals {
    let fleet: Int
    private(set) var perSecond: [Int] = []

    init(fleet: Int) { self.fleet = fleet }

    mutating func note(_ time: Duration) {
        let second = Int(time.components.seconds)
        while perSecond.count <= second { perSecond.append(0) }
        perSecond[second] += 1
    }

    /// The largest share of the fleet that reconnected within one second.
    var peak: Double { Double(perSecond.max() ?? 0) / Double(fleet) }

    /// The share of the fleet that reconnected within the first second.
    var atOnce: Double { Double(perSecond.first ?? 0) / Double(fleet) }

    /// The first second in which a daemon reconnected; `nil` if no daemon did.
    var first: Int? { perSecond.firstIndex { $0 > 0 } }
}

/// A random number generator with a fixed sequence for each seed (SplitMix64).
struct Chance {
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
