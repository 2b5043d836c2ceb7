import ControlAPI
import Testing

@testable import ControlClient

struct LogPositionTests {
    private func entry(_ sequence: Int64, _ type: EntryKind) -> Watch.Reply {
        Watch.Reply(sequence: sequence, type: type, at: 0)
    }

    @Test func `A watcher starts at the position of the first snapshot if no start position is given`() {
        var position = LogPosition(since: nil)
        position.advance(past: entry(10, .snapshot))
        #expect(position.since == 10)
        position.advance(past: entry(11, .messageCreated))
        #expect(position.since == 11)
    }

    @Test func `A snapshot does not advance a watcher past entries that have not arrived yet`() {
        var position = LogPosition(since: 5)
        position.advance(past: entry(10, .snapshot))
        #expect(position.since == 5)
        position.advance(past: entry(6, .badge))
        #expect(position.since == 6)
    }

    @Test func `After a reset, a watcher continues at the position of the reset`() {
        var position = LogPosition(since: 500)
        position.advance(past: entry(40, .snapshot))
        position.advance(past: entry(40, .reset))
        #expect(position.since == 40)
    }
}
