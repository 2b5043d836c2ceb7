import NotificationPolicy
import Testing

struct NotificationRateLimiterTests {
    @Test func `The rate limiter allows a burst and then limits the rate`() {
        var bucket = NotificationRateLimiter(burst: 3, perSecond: 10, now: .zero)
        let waits = (0..<4).map { _ in bucket.consumeToken(now: .zero) }
        #expect(waits == [nil, nil, nil, .milliseconds(100)])
        let later = [
            bucket.consumeToken(now: .milliseconds(100)), bucket.consumeToken(now: .milliseconds(100)),
        ]
        #expect(later == [nil, .milliseconds(100)])
    }
}
