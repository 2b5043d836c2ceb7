import CutieAPI
import FoundationEssentials
import GRDB

/// One write transaction: its moment, the events it tells, and whom they wake.
final class Change {
    let database: Database
    let now: Timestamp
    /// The number of the newest event.
    private(set) var head: Int64
    private(set) var woken: Set<GroupID> = []
    private let epoch: Epoch
    private let keptEvents: Int

    init(_ database: Database, epoch: Epoch, keptEvents: Int) throws {
        self.database = database
        self.epoch = epoch
        self.keptEvents = keptEvents
        now = .now
        head = try database.newestEvent()
    }

    /// Tells the devices of `group`. The oldest events go when there are too many.
    func tell(_ payload: Event.Payload, to group: GroupID, at time: Timestamp) throws {
        head += 1
        let event = Event(id: epoch.id(of: head), createdAt: time, payload: payload)
        try database.run(
            sql: "INSERT INTO event VALUES (?, ?, ?, ?)",
            arguments: [head, group.rawValue, event.type, Data(try JSON.encode(event))])
        if head % 64 == 0 {
            try database.run(
                sql: "DELETE FROM event WHERE number <= ?", arguments: [head - Int64(keptEvents)])
        }
        wake(group)
    }

    /// Makes the devices of `group` look again, without telling anything.
    func wake(_ group: GroupID) {
        woken.insert(group)
    }
}

extension Database {
    /// The number of the newest event, 0 before the first. The newest is never pruned.
    func newestEvent() throws -> Int64 {
        try number(sql: "SELECT max(number) FROM event") ?? 0
    }
}

extension Timestamp {
    static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    func advanced(bySeconds seconds: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(seconds) * 1000)
    }
}
