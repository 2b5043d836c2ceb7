import CutieAPI
import FoundationEssentials
import GRDB

extension Archive {
    /// Returns the events after `cursor`: no events for `now`, or a `reset` if the log no longer contains the
    /// events after the cursor.
    func events(_ cursor: Cursor, for credential: Credential) async throws -> EventBatch {
        try await read { [epoch] database in
            let (group, end) = try database.viewer(credential, .readConversations).listening
            let head = try database.newestEvent()
            var batch: EventBatch
            switch cursor {
            case .now: batch = EventBatch(group: group, scanned: head)
            case .after(let id):
                if let number = epoch.number(of: id.rawValue), number <= head,
                    try number >= database.prunedEvents()
                {
                    batch = try database.events(after: number, head: head, of: group, epoch)
                } else {
                    batch = try .reset(group, at: head, id: epoch.id(of: head))
                }
            }
            batch.credentialEnd = end
            return batch
        }
    }

    /// Returns the events after a number that was read or scanned earlier; a `reset` if those events were
    /// pruned since then.
    func events(after number: Int64, for credential: Credential) async throws -> EventBatch {
        try await events(.after(epoch.id(of: number)), for: credential)
    }
}

extension Viewer {
    /// The group whose events wake this viewer, and the time at which the viewer's credential expires.
    fileprivate var listening: (GroupID, until: Timestamp?) {
        switch self {
        case .device(let caller): (caller.group, nil)
        case .admin(let staff): (.staff, staff.expiresAt)
        }
    }
}

extension GroupID {
    /// The group of the admins, which contains no devices.
    static let staff = GroupID("staff")
}

extension EventBatch {
    fileprivate static func reset(_ group: GroupID, at head: Int64, id: Event.ID) throws -> EventBatch {
        let body = try JSON.encode(Event(id: id, createdAt: .now, payload: .reset))
        let event = StoredEvent(id: id, type: "reset", body: Data(body))
        return EventBatch(group: group, events: [event], scanned: head)
    }
}

extension Database {
    /// Returns the number of the newest event that was pruned.
    fileprivate func prunedEvents() throws -> Int64 {
        (try number(sql: "SELECT min(number) FROM event") ?? 1) - 1
    }

    fileprivate func events(
        after number: Int64, head: Int64, of group: GroupID, _ epoch: Epoch
    ) throws -> EventBatch {
        var batch = EventBatch(group: group, scanned: head)
        var bytes = 0
        let rows = try Row.fetchCursor(
            self,
            sql: group == .staff
                ? """
                SELECT number, type, staffBody AS body FROM event
                WHERE ? = 'staff' AND number > ? AND staffBody IS NOT NULL ORDER BY number
                """
                : "SELECT number, type, body FROM event WHERE groupID = ? AND number > ? ORDER BY number",
            arguments: [group.rawValue, number])
        while let row = try rows.next() {
            let event = StoredEvent(id: epoch.id(of: row["number"]), type: row["type"], body: row["body"])
            batch.events.append(event)
            bytes += event.body.count
            guard bytes < EventBatch.enoughBytes, batch.events.count < EventBatch.most else {
                batch.scanned = row["number"]
                batch.isCut = true
                break
            }
        }
        return batch
    }
}

/// A stored event. `body` is the complete JSON object that is sent.
struct StoredEvent: Sendable {
    let id: Event.ID
    let type: String
    let body: Data
}

/// A batch of the events of one group.
struct EventBatch: Sendable {
    var group: GroupID
    var events: [StoredEvent] = []
    /// The last event number that was searched. This batch and earlier batches contain all events of the
    /// group up to this number.
    var scanned: Int64
    /// Whether the batch reached its size limit, so that there may be more events.
    var isCut = false
    /// The time at which the reader's credential expires; `nil` if it has no expiry time.
    var credentialEnd: Timestamp?

    static let most = 1000
    /// A soft size limit, in bytes, that bounds the memory for a slow reader: the event that reaches the
    /// limit ends the batch.
    static let enoughBytes = 512 << 10
}

/// An event for admins, with the type and name of the device event. Unlike the device event, it always
/// contains the whole conversation. Events that only devices need, such as badges and links, are not sent to
/// admins.
struct StaffEvent: Encodable {
    let id: Event.ID
    let type: String
    let createdAt: Timestamp
    let data: Data

    enum CodingKeys: String, CodingKey {
        case id, type, data
        case createdAt = "created_at"
    }

    struct Data: Encodable {
        let conversationID: Conversation.ID
        var message: Message?
        let conversation: Conversation

        enum CodingKeys: String, CodingKey {
            case message, conversation
            case conversationID = "conversation_id"
        }

        init(message: Message? = nil, conversation: Conversation) {
            (self.message, self.conversation) = (message, conversation)
            conversationID = conversation.id
        }
    }
}

/// The position from which a client wants events.
enum Cursor: Sendable {
    case now
    case after(Event.ID)
}
