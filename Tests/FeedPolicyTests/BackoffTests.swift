import FeedPolicy
import Testing

struct BackoffTests {
    @Test func `The ceiling doubles up to the cap, with full jitter`() {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(300))
        let waits = (0..<12).map { _ in backoff.nextDelay(random: 0.5) / .seconds(1) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150])
    }

    @Test func `The smallest random value does not cause an immediate retry`() {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: 0)
        #expect(wait == .milliseconds(100))
    }

    @Test(arguments: [(0, 120), (0.5, 180), (0.999_999, 240)])
    func `Retry-After is a minimum delay, with jitter of up to the same length`(
        random: Double, seconds: Int
    ) {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: random, floor: .seconds(120))
        #expect(wait >= .seconds(120))
        #expect(Int((wait / .seconds(1)).rounded()) == seconds)
    }

    /// The caps apply after any number of failures and for any Retry-After.
    @Test(arguments: [nil, 0, 1, 60, 120, 299, 300, 301, 540, 599, 600, 601, 3600, 86_400])
    func `No delay exceeds the cap`(floorSeconds: Int?) {
        let floor = floorSeconds.map { Duration.seconds($0) }
        for cap in [5, 30, 300, 3600].map({ Duration.seconds($0) }) {
            for (failures, random) in [(0, 0.0), (1, 0.5), (8, 0.999_999), (100_000, 1)] {
                var backoff = Backoff(cap: cap, failures: failures)
                let wait = backoff.nextDelay(random: random, floor: floor)
                #expect(wait >= .milliseconds(100))
                guard let floor, floor > .zero else {
                    #expect(wait <= cap)
                    continue
                }
                #expect(wait <= .seconds(600))
                #expect(wait >= min(floor, .seconds(540)))
            }
        }
    }

    @Test(arguments: [
        (540, 0, 540_100), (540, 1, 600_000), (600, 0, 540_100), (600, 0.5, 570_000), (600, 1, 600_000),
        (86_400, 1, 600_000),
    ])
    func `If Retry-After is ten minutes or more, clients return in the tenth minute`(
        floor: Int, random: Double, milliseconds: Int
    ) {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: random, floor: .seconds(floor))
        #expect(Int((wait / .milliseconds(1)).rounded()) == milliseconds)
    }

    @Test func `After a clean end of the stream, the delay is a random part of the retry time`() {
        var backoff = Backoff()
        let wait = backoff.nextDelay(afterRegularEnd: .seconds(10), random: { 0.7 })
        #expect(wait == .seconds(7))
    }

    @Test func `The delay grows if a server ends every stream immediately`() {
        var backoff = Backoff(failures: 8)
        let wait = backoff.nextDelay(afterRegularEnd: .seconds(10), random: { 0.5 })
        #expect(wait == .seconds(128))
    }

    @Test func `A connection that lasted long enough resets the backoff`() {
        var backoff = Backoff()
        for _ in 0..<8 { _ = backoff.nextDelay(random: 1) }
        backoff.reset()
        let wait = backoff.nextDelay(random: 1)
        #expect(wait == .seconds(1))
    }

    @Test func `A month of failures does not cause the delay to overflow`() {
        var backoff = Backoff(failures: 100_000)
        let wait = backoff.nextDelay(random: 1)
        #expect(wait == .seconds(300))
    }
}

struct HeartbeatTests {
    @Test func `Before the second comment, the interval from the API contract is used`() {
        var heartbeat = Heartbeat()
        heartbeat.recordComment(after: .seconds(1))
        #expect(heartbeat.interval == .seconds(25))
        #expect(heartbeat.silenceLimit == .milliseconds(62_500))
    }

    @Test func `After two comments, the longest gap is used`() {
        var heartbeat = Heartbeat()
        for gap in [0, 5, 9, 4] { heartbeat.recordComment(after: .seconds(gap)) }
        #expect(heartbeat.interval == .seconds(9))
    }

    @Test func `Comments that arrive together do not change the heartbeat interval`() {
        var heartbeat = Heartbeat()
        for _ in 0..<100 { heartbeat.recordComment(after: .milliseconds(1)) }
        #expect(heartbeat.silenceLimit == .milliseconds(62_500))
    }

    @Test func `Frequent heartbeats do not reduce the silence limit below a minimum`() {
        var heartbeat = Heartbeat()
        for _ in 0..<10 { heartbeat.recordComment(after: .milliseconds(200)) }
        #expect(heartbeat.silenceLimit == .seconds(5))
    }
}
