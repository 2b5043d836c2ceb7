import CutieAPI
import FoundationEssentials
import GRDB

extension Archive {
    /// The events behind `cursor`: none yet for "now", a `reset` where the log does not reach back.
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

    /// The events behind a number that was read or scanned before. A reader that fell out of the log
    /// meanwhile is told so.
    func events(after number: Int64, for credential: Credential) async throws -> EventBatch {
        try await events(.after(epoch.id(of: number)), for: credential)
    }
}

extension Viewer {
    /// Whose bell wakes this one, and until when it may listen.
    fileprivate var listening: (GroupID, until: Timestamp?) {
        switch self {
        case .device(let caller): (caller.group, nil)
        case .admin(let staff): (.staff, staff.expiresAt)
        }
    }
}

extension GroupID {
    /// Of the admins; no device is in it.
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
    /// The newest number that is not kept any more.
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

/// An event as it is stored: the body is the whole object of the wire.
struct StoredEvent: Sendable {
    let id: Event.ID
    let type: String
    let body: Data
}

/// Some of a group's events, and how far the log was looked through for them.
struct EventBatch: Sendable {
    var group: GroupID
    var events: [StoredEvent] = []
    /// Nothing for the group stands up to this number but what was read.
    var scanned: Int64
    /// There may be more than one batch holds.
    var isCut = false
    /// When who reads may not any more; nil where that is not known before.
    var credentialEnd: Timestamp?

    static let most = 1000
    /// A batch ends with the event that reaches it, so that a slow reader holds little.
    static let enoughBytes = 512 << 10
}

/// An event as admins see it: the same types and names, and the whole conversation with each message. What only
/// devices need, as their badge and links, is not told.
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

/// From where a device wants its events.
enum Cursor: Sendable {
    case now
    case after(Event.ID)
}
