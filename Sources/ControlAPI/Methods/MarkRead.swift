/// Marks read everywhere what is here now: one conversation, or all of them without one.
public struct MarkRead: ControlMethod {
    public var conversation: String?
    public var account: String?

    public init(conversation: String? = nil, account: String? = nil) {
        self.conversation = conversation
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
