/// A reusable text for answers.
public struct CannedResponseView: Codable, Hashable, Sendable {
    public var responseId: String
    public var title: String
    /// The text, with `{{name}}` for each placeholder.
    public var content: String
    public var category: String?

    public init(responseId: String, title: String, content: String, category: String? = nil) {
        (self.responseId, self.title) = (responseId, title)
        (self.content, self.category) = (content, category)
    }
}

/// Returns the canned responses that are stored on the server.
public struct ListCannedResponses: StaffMethod {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public struct Reply: Codable, Hashable, Sendable {
        public var responses: [CannedResponseView]

        public init(responses: [CannedResponseView]) { self.responses = responses }
    }
}

/// Creates a canned response.
public struct CreateCannedResponse: StaffMethod, RepeatableMethod {
    public typealias Reply = StaffReceipt
    public var title: String
    public var content: String
    public var category: String?
    public var idempotencyKey: String?
    public var account: String?

    public init(title: String, content: String, category: String? = nil, account: String? = nil) {
        (self.title, self.content, self.category, self.account) = (title, content, category, account)
    }
}

/// Sends a canned response. With `preview`, only returns the text that would be sent.
public struct UseCannedResponse: StaffMethod, RepeatableMethod {
    public var conversation: String
    public var response: String
    public var variables: [String: String]?
    public var preview: Bool?
    public var idempotencyKey: String?
    public var account: String?

    public init(
        conversation: String, response: String, variables: [String: String]? = nil, preview: Bool? = nil,
        account: String? = nil
    ) {
        (self.conversation, self.response, self.variables) = (conversation, response, variables)
        (self.preview, self.account) = (preview, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The text that is sent, or would be; `nil` if it was not looked up.
        public var text: String?
        public var messageId: String?
        public var queued: Bool
        public var outboxId: String?

        public init(
            text: String? = nil, messageId: String? = nil, queued: Bool, outboxId: String? = nil
        ) {
            (self.text, self.messageId) = (text, messageId)
            (self.queued, self.outboxId) = (queued, outboxId)
        }
    }
}
