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

        public init(conversation: ConversationView, messages: [MessageView]) {
            self.conversation = conversation
            self.messages = messages
        }
    }
}
