import CutieAPI
import FoundationEssentials

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

    static let most = 1000
    /// A batch ends with the event that reaches it, so that a slow reader holds little.
    static let enoughBytes = 512 << 10
}

/// From where a device wants its events.
enum Cursor: Sendable {
    case now
    case after(Event.ID)
}
