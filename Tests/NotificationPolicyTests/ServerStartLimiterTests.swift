import NotificationPolicy
import Testing

@Suite struct `The limit of server starts` {
    @Test func `The delay before a server start doubles each time the server exits, up to 30 s`() {
        var (limiter, now) = (ServerStartLimiter(), ContinuousClock.now)
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            limiter.recordQueryResult(error: .serverExited("status 3"), at: now)
            #expect(limiter.cause == "status 3")
            #expect(
                limiter.blockingError(at: now + .seconds(seconds) - .milliseconds(1))
                    == .serverExited("status 3"))
            now += .seconds(seconds)
            #expect(limiter.blockingError(at: now) == nil)
        }
    }

    @Test(arguments: [nil, .noServer("none"), .timedOut] as [NotifierError?])
    func `Any result other than an immediate exit of the server resets the limit on server starts`(
        result: NotifierError?
    ) {
        var limiter = ServerStartLimiter()
        let now = ContinuousClock.now
        for _ in 0..<5 { limiter.recordQueryResult(error: .serverExited("status 3"), at: now) }
        limiter.recordQueryResult(error: result, at: now)
        #expect(limiter.cause == nil)
        #expect(limiter.blockingError(at: now) == nil)
        limiter.recordQueryResult(error: .serverExited("status 3"), at: now)
        #expect(limiter.blockingError(at: now + .seconds(1)) == nil)
    }
}
