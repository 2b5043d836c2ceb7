import FeedPolicy
import Reasons
import Testing

struct ReconnectionTests {
    private typealias Cause = ReconnectPolicy.Cause

    private func pauses(
        _ causes: [Cause], age: Duration? = nil, random: Double = 0.5
    ) -> [ReconnectPolicy.Delay] {
        var reconnection = ReconnectPolicy()
        return causes.map { reconnection.nextDelay(after: $0, connectionAge: age, random: { random }) }
    }

    private static let broken = Cause.fault(TransportSelector.Fault(.text("it broke")))

    @Test func `The feed connects immediately after a restart, and sets no timer while there is no network`()
    {
        #expect(pauses([.restart, .noNetwork]) == [.none, .untilNetworkChange])
    }

    @Test func `The retry delays increase with the length of the outage`() {
        let waits = pauses(.init(repeating: Self.broken, count: 12), random: 1).map { pause -> Int in
            guard case .retry(let wait, _) = pause else { return 0 }
            return Int((wait / .seconds(1)).rounded())
        }
        #expect(waits == [1, 9, 28, 69, 172, 300, 300, 300, 300, 300, 300, 300])
    }

    @Test(arguments: [
        (0, 0, 100, 1000), (1, 0, 100, 9000), (1, 900, 100, 9000), (2, 1000, 1000, 14_000),
        (2, 10_000, 10_000, 27_500), (3, 10_000, 10_000, 27_500), (4, 60_000, 10_000, 102_500),
        (5, 90_000, 5000, 147_500), (6, 120_000, 100, 192_500), (9, 3_600_000, 100, 300_000),
        (100_000, 86_400_000, 100, 300_000),
    ])
    func `The retry delay is random within a range that depends on the length of the outage`(
        failures: Int, elapsed: Int, earliest: Int, latest: Int
    ) {
        let range = ReconnectSpread.delayRange(failures: failures, elapsed: .milliseconds(elapsed))
        #expect(range.lowerBound == .milliseconds(earliest))
        #expect(range.upperBound == .milliseconds(latest))
    }

    @Test func `A connection that lasted long enough resets the failure count`() {
        let retry = pauses([Self.broken, Self.broken], age: TransportSelector.provenAge)
        #expect(retry[0] == retry[1])
        let short = pauses([Self.broken, Self.broken], age: TransportSelector.provenAge - .milliseconds(1))
        #expect(short[0] != short[1])
    }

    @Test func `A manual reconnect resets the failure count`() {
        var reconnection = ReconnectPolicy()
        let first = reconnection.nextDelay(after: Self.broken, random: { 0.5 })
        reconnection.reset()
        #expect(reconnection.nextDelay(after: Self.broken, random: { 0.5 }) == first)
    }

    @Test func `Retry-After sets the minimum retry delay`() {
        let fault = TransportSelector.Fault(.text("busy"), floor: .seconds(60))
        #expect(
            pauses([.fault(fault)], random: 0) == [
                .retry(after: .milliseconds(60_100), because: .text("busy"))
            ])
    }

    @Test
    func `The retry delay after a normal end of the stream is random within the server's retry time`() {
        let fault = TransportSelector.Fault(.text("ended"), spread: .seconds(10))
        #expect(pauses([.fault(fault)]) == [.retry(after: .seconds(5), because: .text("ended"))])
    }

    @Test func `After the API rejects an account, the feed reconnects once an hour`() {
        #expect(pauses([.refusal(.text("not you"))]) == [.stop(.seconds(3600), because: .text("not you"))])
    }

    @Test func `A failure of the store causes a retry delay of at most five seconds`() {
        let last = pauses(.init(repeating: .storeFailed(.text("full")), count: 20), random: 1).last
        #expect(last == .retry(after: .seconds(5), because: .text("full")))
    }
}
