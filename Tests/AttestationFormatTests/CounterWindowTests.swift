import AttestationFormat
import Testing

@Suite struct `The counter window` {
    /// Returns the accepted elements of `counters` in the original order, and the window after all of them.
    private func accepted(
        _ counters: [UInt64], by window: CounterWindow = CounterWindow()
    ) -> (counters: [UInt64], window: CounterWindow) {
        var window = window
        return (counters.filter { window.markUsed($0) }, window)
    }

    @Test func `Each counter value is accepted only once`() {
        #expect(accepted([1, 1, 2, 1, 2]).counters == [1, 2])
    }

    @Test func `The counter value zero is rejected`() {
        #expect(accepted([0, 5, 0]).counters == [5])
    }

    @Test func `The counter values of assertions may arrive out of order`() {
        let first = accepted([5, 3, 4, 1, 2])
        #expect(first.counters == [5, 3, 4, 1, 2])
        #expect(accepted([1, 2, 3, 4, 5], by: first.window).counters.isEmpty)
        #expect(first.window.highest == 5)
    }

    @Test func `A counter value that is older than the window is rejected`() {
        #expect(accepted([100, 37, 36, .max, 100]).counters == [100, 37, .max])
    }

    @Test func `Unused counter values within the window are accepted even after a large increase`() {
        #expect(accepted([10, 73, 10, 74, 11, 10]).counters == [10, 73, 74, 11])
    }

    @Test func `A counter window can be restored from its stored values`() {
        let before = accepted([7, 9]).window
        let kept = CounterWindow(highest: before.highest, used: before.used)
        #expect(accepted([7, 8, 9], by: kept).counters == [8])
    }
}
