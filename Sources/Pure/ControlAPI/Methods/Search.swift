/// Full-text search over what is stored, best match first.
public struct Search: ControlMethod {
    /// The last one may be the beginning of a word.
    public var words: String
    /// nil: 50.
    public var limit: Int?
    public var account: String?

    public init(words: String, limit: Int? = nil, account: String? = nil) {
        self.words = words
        self.limit = limit
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var messages: [MessageView]
        /// One reply does not hold all: messages are left out, or long ones abridged.
        public var cut: Bool?

        public init(messages: [MessageView], cut: Bool? = nil) {
            self.messages = messages
            self.cut = cut
        }
    }
}
