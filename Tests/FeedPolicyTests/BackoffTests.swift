import FeedPolicy
import Testing

struct BackoffTests {
    @Test
    func `The maximum delay doubles with each failure up to a cap, and the actual delay is random`() {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(300))
        let waits = (0..<12).map { _ in backoff.nextDelay(random: 0.5) / .seconds(1) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150])
    }

    @Test func `The delay before a retry is greater than zero even for the smallest random value`() {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: 0)
        #expect(wait == .milliseconds(100))
    }

    @Test(arguments: [(0, 120), (0.5, 180), (0.999_999, 240)])
    func `Retry-After is the minimum delay, and the jitter adds at most the same duration`(
        random: Double, seconds: Int
    ) {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: random, minimumDelay: .seconds(120))
        #expect(wait >= .seconds(120))
        #expect(Int((wait / .seconds(1)).rounded()) == seconds)
    }

    /// The caps must apply after any number of failures and with any Retry-After.
    @Test(arguments: [nil, 0, 1, 60, 120, 299, 300, 301, 540, 599, 600, 601, 3600, 86_400])
    func `No retry delay exceeds the maximum, regardless of the failures and the Retry-After value`(
        floorSeconds: Int?
    ) {
        let floor = floorSeconds.map { Duration.seconds($0) }
        for cap in [5, 30, 300, 3600].map({ Duration.seconds($0) }) {
            for (failures, random) in [(0, 0.0), (1, 0.5), (8, 0.999_999), (100_000, 1)] {
                var backoff = Backoff(cap: cap, failures: failures)
                let wait = backoff.nextDelay(random: random, minimumDelay: floor)
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
    func `The delay is limited to ten minutes even if Retry-After is longer`(
        floor: Int, random: Double, milliseconds: Int
    ) {
        var backoff = Backoff()
        let wait = backoff.nextDelay(random: random, minimumDelay: .seconds(floor))
        #expect(Int((wait / .milliseconds(1)).rounded()) == milliseconds)
    }

    @Test func `The delay after a normal end of the stream is a random fraction of the server's retry time`()
    {
        var backoff = Backoff()
        let wait = backoff.nextDelayAfterNormalStreamEnd(spreadingOver: .seconds(10), random: { 0.7 })
        #expect(wait == .seconds(7))
    }

    @Test func `The delay increases if a server ends every stream immediately`() {
        var backoff = Backoff(failures: 8)
        let wait = backoff.nextDelayAfterNormalStreamEnd(spreadingOver: .seconds(10), random: { 0.5 })
        #expect(wait == .seconds(128))
    }

    @Test func `The delay is reset to its minimum after a long connection`() {
        var backoff = Backoff()
        for _ in 0..<8 { _ = backoff.nextDelay(random: 1) }
        backoff.reset()
        let wait = backoff.nextDelay(random: 1)
        #expect(wait == .seconds(1))
    }

    @Test func `The delay does not overflow after a month of failures`() {
        var backoff = Backoff(failures: 100_000)
        let wait = backoff.nextDelay(random: 1)
        #expect(wait == .seconds(300))
    }
}

struct HeartbeatTests {
    @Test
    func `Before the second heartbeat comment, the heartbeat interval is the value in the API contract`() {
        var heartbeat = Heartbeat()
        heartbeat.recordComment(after: .seconds(1))
        #expect(heartbeat.interval == .seconds(25))
        #expect(heartbeat.silenceLimit == .milliseconds(62_500))
    }

    @Test func `After two heartbeat comments, the heartbeat interval is the longest gap between comments`() {
        var heartbeat = Heartbeat()
        for gap in [0, 5, 9, 4] { heartbeat.recordComment(after: .seconds(gap)) }
        #expect(heartbeat.interval == .seconds(9))
    }

    @Test func `Heartbeat comments that arrive together do not change the heartbeat interval`() {
        var heartbeat = Heartbeat()
        for _ in 0..<100 { heartbeat.recordComment(after: .milliseconds(1)) }
        #expect(heartbeat.silenceLimit == .milliseconds(62_500))
    }

    @Test func `Frequent heartbeats do not reduce the silence timeout below a minimum`() {
        var heartbeat = Heartbeat()
        for _ in 0..<10 { heartbeat.recordComment(after: .milliseconds(200)) }
        #expect(heartbeat.silenceLimit == .seconds(5))
    }
}
