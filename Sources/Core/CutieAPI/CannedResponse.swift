/// A reusable reply of support staff. `{{name}}` is a placeholder for a variable.
public struct CannedResponse: Hashable, Sendable, Codable {
    public var id: String
    public var title: String
    public var content: String
    /// A category chosen freely by support; unrelated to the category of a conversation.
    public var category: String?

    public init(id: String, title: String, content: String, category: String? = nil) {
        (self.id, self.title, self.content, self.category) = (id, title, content, category)
    }

    private enum CodingKeys: String, CodingKey {
        case title, content, category
        case id = "response_id"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeRequiredID(.id)
        title = try container.decode(String.self, forKey: .title)
        content = try container.decode(String.self, forKey: .content)
        category = container.decodeIfReadable(.category)
    }

    /// The error for a placeholder without a value.
    public struct MissingVariable: Error, Hashable, Sendable {
        public let name: String
    }

    /// Returns the content with all placeholders replaced.
    ///
    /// - Throws: `MissingVariable` if a placeholder has no value, so that a placeholder is never sent to a
    ///   user.
    public func filledContent(with variables: [String: String]) throws(MissingVariable) -> String {
        var text = ""
        var rest = content[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}")
        {
            let name = rest[start.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
            guard let value = variables[name] else { throw MissingVariable(name: name) }
            text += rest[..<start.lowerBound] + value
            rest = rest[end.upperBound...]
        }
        return text + rest
    }

    /// The body that creates a canned response.
    public struct Draft: RequestBody {
        public var title: String
        public var content: String
        public var category: String?

        public init(title: String, content: String, category: String? = nil) {
            (self.title, self.content, self.category) = (title, content, category)
        }
    }

    public struct List: Hashable, Sendable, Codable {
        public var responses: [CannedResponse]

        private enum CodingKeys: String, CodingKey {
            case responses = "canned_responses"
        }

        public init(from decoder: any Decoder) throws {
            responses = try decoder.container(keyedBy: CodingKeys.self).decodeRequiredList(.responses)
        }
    }

    fileprivate struct Use: RequestBody {
        let variables: [String: String]
    }
}

extension Endpoint where Response == CannedResponse.List {
    public static func cannedResponses() -> Self { Self(APIRequest(.get, "canned-responses")) }
}

extension Endpoint where Response == CannedResponse {
    /// Returns the endpoint that creates a canned response. `idempotencyKey`: a UUID that the caller creates
    /// once and sends with every retry.
    public static func createCannedResponse(_ draft: CannedResponse.Draft, idempotencyKey: String) -> Self {
        Self(
            APIRequest(.post, "canned-responses", body: draft).modified { $0.idempotencyKey = idempotencyKey }
        )
    }
}

extension Endpoint where Response == Message {
    /// Returns the endpoint that sends a canned response to a conversation. `idempotencyKey`: a UUID that the
    /// caller creates once and sends with every retry.
    public static func useCannedResponse(
        _ response: String, in conversation: Conversation.ID, variables: [String: String],
        idempotencyKey: String
    ) -> Self {
        Self(
            APIRequest(
                .post, "conversations", conversation.rawValue, "canned-responses", response, "use",
                body: CannedResponse.Use(variables: variables)
            ).modified { $0.idempotencyKey = idempotencyKey })
    }
}
