/// One thread, oldest message first. Marks nothing read.
public struct GetConversation: ControlMethod {
    public var conversation: String
    /// Keeps the newest ones.
    public var limit: Int?
    public var account: String?

    public init(conversation: String, limit: Int? = nil, account: String? = nil) {
        self.conversation = conversation
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversation: ConversationView
        public var messages: [MessageView]
        /// One reply does not hold all: older messages are left out, or long ones abridged.
        public var cut: Bool?

        public init(conversation: ConversationView, messages: [MessageView], cut: Bool? = nil) {
            self.conversation = conversation
            self.messages = messages
            self.cut = cut
        }
    }
}
