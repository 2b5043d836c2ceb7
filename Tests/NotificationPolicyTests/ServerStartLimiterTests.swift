import NotificationPolicy
import Testing

@Suite struct `The limit of server starts` {
    @Test func `The delay doubles after each server that exits, up to 30 s`() {
        var (limiter, now) = (ServerStartLimiter(), ContinuousClock.now)
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            limiter.record(.serverExited("status 3"), at: now)
            #expect(limiter.cause == "status 3")
            #expect(
                limiter.error(at: now + .seconds(seconds) - .milliseconds(1)) == .serverExited("status 3"))
            now += .seconds(seconds)
            #expect(limiter.error(at: now) == nil)
        }
    }

    @Test(arguments: [nil, .noServer("none"), .timedOut] as [NotifierError?])
    func `Any result except a server that exits at once clears the limit on starts`(result: NotifierError?) {
        var limiter = ServerStartLimiter()
        let now = ContinuousClock.now
        for _ in 0..<5 { limiter.record(.serverExited("status 3"), at: now) }
        limiter.record(result, at: now)
        #expect(limiter.cause == nil)
        #expect(limiter.error(at: now) == nil)
        limiter.record(.serverExited("status 3"), at: now)
        #expect(limiter.error(at: now + .seconds(1)) == nil)
    }
}
