/// What goes with a log entry: the message or the conversation it is about, or the state's cause.
public struct LogDetails: Codable, Hashable, Sendable {
    public var message: MessageView?
    public var conversation: ConversationView?
    public var transport: String?
    public var reason: String?

    public init(
        message: MessageView? = nil, conversation: ConversationView? = nil, transport: String? = nil,
        reason: String? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.transport = transport
        self.reason = reason
    }
}
