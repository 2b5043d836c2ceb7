/// Streams the events of the app's account (with `more`): first a snapshot whose sequence is the head, then
/// each entry after `since`, or after the head.
public struct Watch: AccessMethod {
    public var since: Int64?

    public init(since: Int64? = nil) { self.since = since }

    public struct Reply: Codable, Hashable, Sendable {
        /// Unique; never reused.
        public var sequence: Int64
        /// The raw value of a `WatchEntry`.
        public var type: String
        /// Unix milliseconds.
        public var at: Int64
        public var conversation: String?
        public var message: AppMessage?
        public var badge: Int?

        public init(
            sequence: Int64, type: String, at: Int64, conversation: String? = nil, message: AppMessage? = nil,
            badge: Int? = nil
        ) {
            (self.sequence, self.type, self.at) = (sequence, type, at)
            (self.conversation, self.message, self.badge) = (conversation, message, badge)
        }
    }
}

/// The type of an entry of `Watch`.
public enum WatchEntry: String, Sendable {
    case snapshot
    /// The log no longer contains `since`: read the current state again.
    case reset
    case message
    case badge
    case conversation
}
