extension Endpoint where Answer == CreatedConversation {
    /// Starts a conversation. The key is a UUID of the caller's, the same for every attempt.
    public static func createConversation(_ conversation: NewConversation, idempotencyKey: String) -> Self {
        Self(
            APIRequest(.post, "conversations", body: conversation).with {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Answer == ConversationPage {
    /// The device group's conversations, newest `updated_at` first; a page holds 1 to 100.
    public static func listConversations(limit: Int = 50, offset: Int = 0) -> Self {
        Self(
            APIRequest(.get, "conversations").with {
                $0.query = [
                    .init(name: "limit", value: String(min(max(limit, 1), 100))),
                    .init(name: "offset", value: String(max(offset, 0))),
                ]
            })
    }
}

extension Endpoint where Answer == Conversation {
    /// One conversation with its messages.
    public static func conversation(_ id: Conversation.ID) -> Self {
        Self(APIRequest(.get, "conversations", id.rawValue))
    }
}

extension Endpoint where Answer == Message {
    /// Answers in a conversation. The key is a UUID of the caller's, the same for every attempt.
    public static func sendMessage(
        _ message: NewMessage, to conversation: Conversation.ID, idempotencyKey: String
    ) -> Self {
        Self(
            APIRequest(.post, "conversations", conversation.rawValue, "messages", body: message).with {
                $0.idempotencyKey = idempotencyKey
            })
    }
}

extension Endpoint where Answer == ReadMark.Answer {
    /// Marks read up to a message, where the server knows bounds, else everything.
    public static func markAllRead(_ conversation: Conversation.ID, upTo newest: Message.ID?) -> Self {
        Self(
            APIRequest(
                .post, "conversations", conversation.rawValue, "messages", "mark-all-read",
                body: ReadMark(upTo: newest)
            ).with { $0.isIdempotent = newest != nil })
    }
}
