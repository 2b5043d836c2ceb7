/// Marks read everywhere what is here now: one conversation, or all of them without one.
public struct MarkRead: ControlMethod {
    public var conversation: String?
    /// A message of the conversation: what came after it stays unread.
    public var upTo: String?
    /// A program has shown it, and nobody asked: does nothing where `open_marks_read` is off, and does not
    /// wait for the API.
    public var shown: Bool?
    public var account: String?

    public init(
        conversation: String? = nil, upTo: String? = nil, shown: Bool? = nil, account: String? = nil
    ) {
        self.conversation = conversation
        self.upTo = upTo
        self.shown = shown
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// How many there were.
        public var conversations: Int
        /// The server does not know yet.
        public var queued: Bool

        public init(conversations: Int, queued: Bool) {
            self.conversations = conversations
            self.queued = queued
        }
    }
}
