import Testing

@testable import herd

/// A fast version of the measurement in `make bench`.
struct HerdTests {
    private static let size = 10_000

    @Test(arguments: [120, 121, 180, 300, 600, 3600])
    func `After an outage of two minutes no second has more than 2 percent of the fleet`(seconds: Int) {
        var fleet = Fleet(size: Self.size, seed: UInt64(seconds))
        let arrivals = fleet.arrivals(after: .broken, outage: .seconds(seconds))
        #expect(arrivals.peak < 0.02)
        #expect(arrivals.perSecond.count <= 301)
    }

    @Test(arguments: [10, 60])
    func `After a clean end the fleet is spread over the retry time`(retry: Int) {
        var fleet = Fleet(size: Self.size, seed: 1)
        let arrivals = fleet.arrivals(after: .ended(retry: .seconds(retry)), outage: .zero)
        #expect(arrivals.perSecond.count == retry)
        #expect(arrivals.peak < 1.2 / Double(retry))
    }

    /// At the shortest delay each second has a sixtieth of the clients, plus random variation.
    @Test(arguments: [60, 120, 300])
    func `No client reconnects before Retry-After, nor do all at once afterwards`(floor: Int) {
        var fleet = Fleet(size: Self.size, seed: 1)
        let arrivals = fleet.arrivals(after: .refused(floor: .seconds(floor)), outage: .zero)
        #expect(arrivals.first == floor)
        #expect(arrivals.peak < 0.022)
    }

    @Test func `The same seed gives the same arrivals`() {
        var (first, second) = (Fleet(size: 1000, seed: 7), Fleet(size: 1000, seed: 7))
        #expect(
            first.arrivals(after: .broken, outage: .seconds(60)).perSecond
                == second.arrivals(after: .broken, outage: .seconds(60)).perSecond)
    }
}
