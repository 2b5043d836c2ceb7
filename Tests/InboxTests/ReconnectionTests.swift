import Inbox
import Testing

struct ReconnectionTests {
    private typealias Cause = Reconnection.Cause

    private func pauses(
        _ causes: [Cause], age: Duration? = nil, random: Double = 0.5
    ) -> [Reconnection.Pause] {
        var reconnection = Reconnection()
        return causes.map { reconnection.pause(after: $0, age: age, random: { random }) }
    }

    private static let broken = Cause.fault(Ladder.Fault("it broke"))

    @Test func `What needs no time takes none`() {
        #expect(pauses([.restart, .noNetwork]) == [.none, .untilNetworkChange])
    }

    @Test func `The waits double with each failure in a row`() {
        let waits = (0..<4).map {
            Reconnection.Pause.retry(after: .milliseconds(500 << $0), because: "it broke")
        }
        #expect(pauses(.init(repeating: Self.broken, count: 4)) == waits)
    }

    @Test func `A connection that lived makes the next failure the first one again`() {
        let again = pauses([Self.broken, Self.broken], age: Ladder.life)
        #expect(again[0] == again[1])
        let short = pauses([Self.broken, Self.broken], age: Ladder.life - .milliseconds(1))
        #expect(short[0] != short[1])
    }

    @Test func `A person who asks makes it the first one, too`() {
        var reconnection = Reconnection()
        let first = reconnection.pause(after: Self.broken, random: { 0.5 })
        reconnection.reset()
        #expect(reconnection.pause(after: Self.broken, random: { 0.5 }) == first)
    }

    @Test func `What the server asked for is the least of the wait`() {
        let fault = Ladder.Fault("busy", floor: .seconds(60))
        #expect(pauses([.fault(fault)], random: 0) == [.retry(after: .milliseconds(60_100), because: "busy")])
    }

    @Test func `A proper end is spread over the time that the server named`() {
        let fault = Ladder.Fault("ended", spread: .seconds(10))
        #expect(pauses([.fault(fault)]) == [.retry(after: .seconds(5), because: "ended")])
    }

    @Test func `A refusal waits for a person, and looks again`() {
        #expect(pauses([.refusal("not you")]) == [.stop(.seconds(3600), because: "not you")])
    }

    @Test func `A store that is full for long puts nothing off for longer than seconds`() {
        let last = pauses(.init(repeating: .notStored("full"), count: 20), random: 1).last
        #expect(last == .retry(after: .seconds(5), because: "full"))
    }
}
