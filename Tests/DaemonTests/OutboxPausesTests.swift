import Testing

@testable import Accounts

@MainActor
struct OutboxPausesTests {
    @Test func `After a refusal and a reconnect, other messages are sent before the refused message`() {
        var pauses = OutboxPauses()
        let wait = pauses.refused("a", 1, at: .seconds(100), random: 0.5)
        #expect(pauses.isRefused && pauses.delay(at: .seconds(100)) == wait / 2)
        #expect(pauses.reconnect(at: .seconds(100)) == ["a": .seconds(100) + wait])
        #expect(!pauses.isRefused && pauses.delay(at: .seconds(100) + wait / 2) == nil)
    }

    @Test func `The delay grows with each refusal until a message is sent`() {
        var pauses = OutboxPauses()
        let first = pauses.refused("a", 1, at: .zero, random: 0.5)
        #expect(pauses.refused("b", 1, at: .zero, random: 0.5) == first * 2)
        pauses.sent()
        #expect(pauses.refused("c", 1, at: .zero, random: 0.5) == first)
    }

    @Test func `A reconnect brings forward only retries without Retry-After`() {
        var pauses = OutboxPauses()
        _ = pauses.failed("own", 1, floor: nil, at: .zero, random: 0.5)
        let wait = pauses.failed("asked", 1, floor: .seconds(60), at: .zero, random: 0.5)
        #expect(pauses.reconnect(at: .seconds(1)) == ["asked": wait])
        #expect(pauses.reconnect(at: wait).isEmpty, "its time has come")
    }

    @Test func `A retry by the user resets the delays of the message`() {
        var pauses = OutboxPauses()
        _ = pauses.refused("a", 1, at: .zero, random: 0.5)
        _ = pauses.failed("b", 1, floor: .seconds(60), at: .zero, random: 0.5)
        pauses.release("a")
        #expect(pauses.delay(at: .zero) == nil && Set(pauses.reconnect(at: .zero).keys) == ["b"])
        pauses.end()
        #expect(pauses.reconnect(at: .zero).isEmpty)
    }
}
