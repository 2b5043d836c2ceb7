import FeedPolicy
import Testing

@testable import herd

/// A smaller version of the reconnect simulation in `make bench`.
struct HerdTests {
    private static let size = 10_000

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `After an outage of ten seconds, at most 5 percent of the clients reconnect in the first second`(
        seed: UInt64
    ) {
        var fleet = Fleet(size: Self.size, seed: seed)
        let arrivals = fleet.simulateArrivals(after: .broken, lasting: .seconds(10))
        #expect(arrivals.shareInFirstSecond <= 0.05)
        #expect(arrivals.peakShare < 0.075)
    }

    /// Sorts the delays of both fleets and compares delays of the same rank.
    @Test(arguments: [100, 300, 1000, 2000, 3000, 4000, 5000, 7000, 10_000, 20_000, 60_000, 120_000])
    func `Spreading the reconnects adds at most ten seconds of delay compared with exponential backoff`(
        milliseconds: Int
    ) {
        let outage = Duration.milliseconds(milliseconds)
        var fleet = Fleet(size: Self.size, seed: 1),
            doubling = Fleet(size: Self.size, seed: 2, backoff: Backoff())
        let waits = fleet.simulateWaits(after: .broken, lasting: outage).sorted()
        let former = doubling.simulateWaits(after: .broken, lasting: outage).sorted()
        let longer = zip(waits, former).map { $0 - $1 }.max() ?? .zero
        #expect(longer <= .seconds(10))
    }

    @Test(arguments: [120, 121, 180, 300, 600, 3600])
    func `After an outage of at least two minutes, at most 2 percent of the clients reconnect in any second`(
        seconds: Int
    ) {
        var fleet = Fleet(size: Self.size, seed: UInt64(seconds))
        let arrivals = fleet.simulateArrivals(after: .broken, lasting: .seconds(seconds))
        #expect(arrivals.peakShare < 0.02)
        #expect(arrivals.perSecond.count <= 301)
    }

    @Test(arguments: [10, 60])
    func `After a server ends all streams normally, the reconnects are spread over the retry time`(
        retry: Int
    ) {
        var fleet = Fleet(size: Self.size, seed: 1)
        let arrivals = fleet.simulateArrivals(after: .ended(retry: .seconds(retry)), lasting: .zero)
        #expect(arrivals.perSecond.count == retry)
        #expect(arrivals.peakShare < 1.2 / Double(retry))
    }

    /// With the shortest Retry-After of 60 s, one sixtieth of the clients reconnects in each second, with
    /// random variation.
    @Test(arguments: [60, 120, 300])
    func `With Retry-After, the reconnects of all clients are spread over at least a minute`(floor: Int) {
        var fleet = Fleet(size: Self.size, seed: 1)
        let arrivals = fleet.simulateArrivals(after: .refused(floor: .seconds(floor)), lasting: .zero)
        #expect(arrivals.first == floor)
        #expect(arrivals.peakShare < 0.022)
    }

    @Test func `The same seed yields the same reconnect times`() {
        var (first, second) = (Fleet(size: 1000, seed: 7), Fleet(size: 1000, seed: 7))
        #expect(
            first.simulateArrivals(after: .broken, lasting: .seconds(60)).perSecond
                == second.simulateArrivals(after: .broken, lasting: .seconds(60)).perSecond)
    }
}
