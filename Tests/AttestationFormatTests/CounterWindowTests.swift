import AttestationFormat
import Testing

@Suite struct `The window of counters` {
    @Test func `A counter counts once`() {
        var window = CounterWindow()
        #expect(window.accept(1))
        #expect(!window.accept(1))
        #expect(window.accept(2))
        #expect(!window.accept(1))
    }

    @Test func `Zero is no counter`() {
        var window = CounterWindow()
        #expect(!window.accept(0))
    }

    @Test func `Requests may overtake each other`() {
        var window = CounterWindow()
        #expect([5, 3, 4, 1, 2].allSatisfy { window.accept($0) })
        #expect([5, 3, 4, 1, 2].allSatisfy { !window.accept($0) })
        #expect(window.highest == 5)
    }

    @Test func `What is older than the window does not count`() {
        var window = CounterWindow()
        #expect(window.accept(100))
        #expect(window.accept(37))
        #expect(!window.accept(36))
        #expect(window.accept(.max))
        #expect(!window.accept(100))
    }

    @Test func `It goes on from what was kept`() {
        var window = CounterWindow()
        for counter in [7, 9] as [UInt64] { _ = window.accept(counter) }
        var kept = CounterWindow(highest: window.highest, used: window.used)
        #expect(!kept.accept(7))
        #expect(kept.accept(8))
    }
}
