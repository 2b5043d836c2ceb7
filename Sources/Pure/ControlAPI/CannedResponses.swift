/// A text that is written once and sent often.
public struct CannedResponseView: Codable, Hashable, Sendable {
    public var responseId: String
    public var title: String
    /// With `{{name}}` for what differs.
    public var content: String
    public var category: String?

    public init(responseId: String, title: String, content: String, category: String? = nil) {
        (self.responseId, self.title) = (responseId, title)
        (self.content, self.category) = (content, category)
    }
}

/// The canned responses, as the server has them.
public struct ListCannedResponses: StaffMethod {
    public var account: String?

    public init(account: String? = nil) { self.account = account }

    public struct Reply: Codable, Hashable, Sendable {
        public var responses: [CannedResponseView]

        public init(responses: [CannedResponseView]) { self.responses = responses }
    }
}

/// Writes a canned response.
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

/// Answers with a canned response; with `preview` it only tells what that would be.
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
        /// What is sent, or would be; nil where it was not looked up.
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
