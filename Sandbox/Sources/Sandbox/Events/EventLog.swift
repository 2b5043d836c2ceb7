import CutieAPI
import FoundationEssentials
import GRDB

extension Archive {
    /// Returns a batch of the events after `cursor`. Returns no events if `cursor` is `now`, and a `reset`
    /// event if the log no longer contains all events after the cursor.
    func fetchEvents(from cursor: Cursor, for credential: Credential) async throws -> EventBatch {
        try await read { [epoch] database in
            let (group, end) = try database.authenticateViewer(
                with: credential, requiring: .readConversations
            )
            .eventSource
            let head = try database.findNewestEventNumber()
            var batch: EventBatch
            switch cursor {
            case .now: batch = EventBatch(group: group, scanned: head)
            case .after(let id):
                if let number = epoch.eventNumber(of: id.rawValue), number <= head,
                    try number >= database.findNewestPrunedEventNumber()
                {
                    batch = try database.fetchEvents(
                        after: number, newestEventNumber: head, of: group, epoch: epoch)
                } else {
                    batch = try .makeResetBatch(
                        for: group, newestEventNumber: head, eventID: epoch.eventID(forNumber: head))
                }
            }
            batch.credentialExpiry = end
            return batch
        }
    }

    /// Returns a batch of the events after event `number`. If some of these events were pruned, returns a
    /// `reset` event instead.
    func fetchEvents(after number: Int64, for credential: Credential) async throws -> EventBatch {
        try await fetchEvents(from: .after(epoch.eventID(forNumber: number)), for: credential)
    }
}

extension Viewer {
    /// The group whose events the viewer receives, and the expiry time of the viewer's credential.
    fileprivate var eventSource: (GroupID, until: Timestamp?) {
        switch self {
        case .device(let caller): (caller.group, nil)
        case .admin(let staff): (.staff, staff.expiresAt)
        }
    }
}

extension GroupID {
    /// The group for admin events, which contains no devices.
    static let staff = GroupID("staff")
}

extension EventBatch {
    fileprivate static func makeResetBatch(for group: GroupID, newestEventNumber: Int64, eventID: Event.ID)
        throws
        -> EventBatch
    {
        let body = try JSON.encode(Event(id: eventID, createdAt: .now, payload: .reset))
        let event = StoredEvent(id: eventID, type: "reset", body: Data(body))
        return EventBatch(group: group, events: [event], scanned: newestEventNumber)
    }
}

extension Database {
    /// Returns the number of the newest pruned event; 0 if no event was pruned.
    fileprivate func findNewestPrunedEventNumber() throws -> Int64 {
        (try fetchNumber(sql: "SELECT min(number) FROM event") ?? 1) - 1
    }

    fileprivate func fetchEvents(
        after number: Int64, newestEventNumber: Int64, of group: GroupID, epoch: Epoch
    ) throws -> EventBatch {
        var batch = EventBatch(group: group, scanned: newestEventNumber)
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
            let event = StoredEvent(
                id: epoch.eventID(forNumber: row["number"]), type: row["type"], body: row["body"])
            batch.events.append(event)
            bytes += event.body.count
            guard bytes < EventBatch.byteTarget, batch.events.count < EventBatch.countLimit else {
                batch.scanned = row["number"]
                batch.isTruncated = true
                break
            }
        }
        return batch
    }
}

/// A stored event. `body` is the JSON object that clients receive.
struct StoredEvent: Sendable {
    let id: Event.ID
    let type: String
    let body: Data
}

/// A batch of the events of one group.
struct EventBatch: Sendable {
    var group: GroupID
    var events: [StoredEvent] = []
    /// The number of the last event that this batch covers, including events of other groups. The next batch
    /// starts after this number.
    var scanned: Int64
    /// Whether the batch reached a limit, so that more events may follow.
    var isTruncated = false
    /// The expiry time of the reader's credential; `nil` if the credential does not expire.
    var credentialExpiry: Timestamp?

    static let countLimit = 1000
    /// The soft size limit of a batch in bytes, which limits the memory that a slow reader needs. The event
    /// that reaches the limit is the last event of the batch.
    static let byteTarget = 512 << 10
}

/// An event for admins, with the same ID and type as the corresponding device event, if there is one.
/// The event always contains the whole conversation. Events that only concern devices, such as badges
/// and links, have no `StaffEvent`.
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

/// A position in the event log. The client receives the events after this position.
enum Cursor: Sendable {
    case now
    case after(Event.ID)
}
