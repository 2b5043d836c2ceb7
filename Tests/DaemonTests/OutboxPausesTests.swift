import Testing

@testable import Accounts

@MainActor
struct OutboxPausesTests {
    @Test func `After a refusal and a reconnect, only the refused message is still delayed`() {
        var pauses = OutboxPauses()
        let wait = pauses.recordRefusal(of: "a", failureCount: 1, at: .seconds(100), random: 0.5)
        #expect(pauses.isRefused && pauses.remainingDelay(at: .seconds(100)) == wait / 2)
        #expect(pauses.resumeAfterReconnect(at: .seconds(100)) == ["a": .seconds(100) + wait])
        #expect(!pauses.isRefused && pauses.remainingDelay(at: .seconds(100) + wait / 2) == nil)
    }

    @Test func `The retry delay grows with each refusal until a message is sent`() {
        var pauses = OutboxPauses()
        let first = pauses.recordRefusal(of: "a", failureCount: 1, at: .zero, random: 0.5)
        #expect(pauses.recordRefusal(of: "b", failureCount: 1, at: .zero, random: 0.5) == first * 2)
        pauses.recordSuccess()
        #expect(pauses.recordRefusal(of: "c", failureCount: 1, at: .zero, random: 0.5) == first)
    }

    @Test func `A reconnect makes pending retries immediate, except retries with Retry-After`() {
        var pauses = OutboxPauses()
        _ = pauses.recordFailure(of: "own", failureCount: 1, minimumDelay: nil, at: .zero, random: 0.5)
        let wait = pauses.recordFailure(
            of: "asked", failureCount: 1, minimumDelay: .seconds(60), at: .zero, random: 0.5)
        #expect(pauses.resumeAfterReconnect(at: .seconds(1)) == ["asked": wait])
        #expect(pauses.resumeAfterReconnect(at: wait).isEmpty, "the pause has ended")
    }

    @Test func `A manual retry resets the retry delay of the message`() {
        var pauses = OutboxPauses()
        _ = pauses.recordRefusal(of: "a", failureCount: 1, at: .zero, random: 0.5)
        _ = pauses.recordFailure(of: "b", failureCount: 1, minimumDelay: .seconds(60), at: .zero, random: 0.5)
        pauses.clearDelay(of: "a")
        #expect(
            pauses.remainingDelay(at: .zero) == nil
                && Set(pauses.resumeAfterReconnect(at: .zero).keys) == ["b"])
        pauses.clearAllDelays()
        #expect(pauses.resumeAfterReconnect(at: .zero).isEmpty)
    }
}
