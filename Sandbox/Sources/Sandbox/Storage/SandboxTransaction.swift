import CutieAPI
import FoundationEssentials
import GRDB

/// A write transaction, which also collects the groups whose event readers are woken after the commit.
final class SandboxTransaction {
    let database: Database
    let now: Timestamp
    /// The number of the newest event.
    private(set) var head: Int64
    private(set) var woken: Set<GroupID> = []
    private let epoch: Epoch
    private let retainedEvents: Int

    init(_ database: Database, epoch: Epoch, retainedEvents: Int) throws {
        self.database = database
        self.epoch = epoch
        self.retainedEvents = retainedEvents
        now = .now
        head = try database.findNewestEventNumber()
    }

    /// Stores an event for the devices of a group, and also for admins if `data` is not `nil`. Prunes the
    /// oldest events if the log is too long.
    func recordEvent(
        _ payload: Event.Payload, for group: GroupID, at time: Timestamp,
        staffData data: StaffEvent.Data? = nil
    ) throws {
        head += 1
        let event = Event(id: epoch.eventID(forNumber: head), createdAt: time, payload: payload)
        let staff = data.map { StaffEvent(id: event.id, type: event.type, createdAt: time, data: $0) }
        try appendEvent(body: try JSON.encode(event), to: group, type: event.type, staffEvent: staff)
        wakeReaders(of: group)
    }

    /// Stores an event for admins only.
    func recordStaffEvent(ofType type: String, data: StaffEvent.Data, at time: Timestamp) throws {
        head += 1
        let event = StaffEvent(id: epoch.eventID(forNumber: head), type: type, createdAt: time, data: data)
        try appendEvent(body: [], to: .staff, type: type, staffEvent: event)
    }

    private func appendEvent(body: [UInt8], to group: GroupID, type: String, staffEvent: StaffEvent?) throws {
        try database.run(
            sql: "INSERT INTO event (number, groupID, type, body, staffBody) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                head, group.rawValue, type, Data(body), try staffEvent.map { Data(try JSON.encode($0)) },
            ])
        if head % 64 == 0 {
            try database.run(
                sql: "DELETE FROM event WHERE number <= ?", arguments: [head - Int64(retainedEvents)])
        }
        if staffEvent != nil { wakeReaders(of: .staff) }
    }

    /// Wakes the event readers of a group even though there is no new event, so that they check their
    /// credentials again.
    func wakeReaders(of group: GroupID) {
        woken.insert(group)
    }
}

extension Database {
    /// Returns the number of the newest event, which is never pruned; 0 if there are no events.
    func findNewestEventNumber() throws -> Int64 {
        try fetchNumber(sql: "SELECT max(number) FROM event") ?? 0
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
