/// What happened to one message, step by step.
public struct Explain: ControlMethod {
    public var message: String
    /// Needed where two conversations have a message of this id.
    public var conversation: String?
    public var account: String?

    public init(message: String, conversation: String? = nil, account: String? = nil) {
        self.message = message
        self.conversation = conversation
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var message: MessageView?
        public var steps: [LedgerStep]
        /// One reply does not hold the message: it is abridged, or left out.
        public var cut: Bool?

        public init(message: MessageView? = nil, steps: [LedgerStep], cut: Bool? = nil) {
            self.message = message
            self.steps = steps
            self.cut = cut
        }
    }
}
