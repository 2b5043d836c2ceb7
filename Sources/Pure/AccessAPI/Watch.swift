/// What happens in the app's account (with `more`): first a snapshot, whose sequence is the head, then every entry after
/// `since`, or after the head.
public struct Watch: AccessMethod {
    public var since: Int64?

    public init(since: Int64? = nil) { self.since = since }

    public struct Reply: Codable, Hashable, Sendable {
        /// Never used twice.
        public var sequence: Int64
        /// A `WatchEntry`.
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

/// What an entry of `Watch` tells, by its `type`.
public enum WatchEntry: String, Sendable {
    case snapshot
    /// `since` is not known any more: what came after it is to be read anew.
    case reset
    case message
    case badge
    case conversation
}
