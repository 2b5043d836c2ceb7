extension Endpoint where Response == Conversation {
    /// Returns the endpoint that changes the fields of a conversation that are set in `change`.
    public static func updateConversation(_ conversation: Conversation.ID, with change: ConversationChange)
        -> Self
    {
        Self(APIRequest(.patch, "conversations", conversation.rawValue, body: change))
    }

    /// Returns the endpoint that assigns a conversation to a member of support staff; `nil` removes the
    /// assignment.
    public static func assignConversation(_ conversation: Conversation.ID, to admin: String?) -> Self {
        Self(
            APIRequest(
                .post, "conversations", conversation.rawValue, "assign", body: Assignment(admin: admin)
            ).modified { $0.isIdempotent = true })
    }
}

/// The fields of a conversation that support staff can change; `nil` for a field that stays unchanged.
public struct ConversationChange: RequestBody {
    public var status: Status?
    public var priority: Priority?
    public var category: Category?

    public init(status: Status? = nil, priority: Priority? = nil, category: Category? = nil) {
        (self.status, self.priority, self.category) = (status, priority, category)
    }
}

/// The body of an assignment. The field `admin_id` is encoded even if it is null, because null removes the
/// assignment.
private struct Assignment: RequestBody {
    let admin: String?

    enum CodingKeys: String, CodingKey {
        case admin = "admin_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(admin, forKey: .admin)
    }
}

extension Endpoint where Response == TagList {
    /// Returns the endpoint that lists the tags of all conversations.
    public static func tags() -> Self { Self(APIRequest(.get, "tags")) }

    /// Returns the endpoint that adds a tag. The response lists the tags of the conversation.
    public static func addTag(_ name: String, to conversation: Conversation.ID) -> Self {
        Self(
            APIRequest(.post, "conversations", conversation.rawValue, "tags", body: NewTag(tag: name))
                .modified {
                    $0.isIdempotent = true
                })
    }

    /// Returns the endpoint that removes a tag by its name or its ID.
    public static func removeTag(_ tag: String, from conversation: Conversation.ID) -> Self {
        Self(APIRequest(.delete, "conversations", conversation.rawValue, "tags", tag))
    }
}

private struct NewTag: RequestBody {
    let tag: String
}

public struct TagList: Hashable, Sendable, Codable {
    public var tags: [Tag]

    public init(from decoder: any Decoder) throws {
        tags = try decoder.container(keyedBy: CodingKeys.self).decodeRequiredList(.tags)
    }
}

extension Endpoint where Response == ConversationStatistics {
    /// Returns the endpoint that fetches the conversation counts for the last `days` days.
    public static func conversationStatistics(forLastDays days: Int) -> Self {
        Self(
            APIRequest(.get, "analytics", "conversation-stats").modified {
                $0.query = [.init(name: "days", value: String(days))]
            })
    }
}

extension Endpoint where Response == ResponseTimes {
    public static func responseTimes(forLastDays days: Int) -> Self {
        Self(
            APIRequest(.get, "analytics", "response-times").modified {
                $0.query = [.init(name: "days", value: String(days))]
            })
    }
}

/// The number of conversations, in total and per group.
public struct ConversationStatistics: Hashable, Sendable, Codable {
    public var total: Int?
    public var byStatus: [String: Int]
    public var byCategory: [String: Int]
    public var byPriority: [String: Int]

    private enum CodingKeys: String, CodingKey {
        case total
        case byStatus = "by_status"
        case byCategory = "by_category"
        case byPriority = "by_priority"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        total = container.decodeCountIfReadable(.total)
        byStatus = container.decodeValidCounts(forKey: .byStatus)
        byCategory = container.decodeValidCounts(forKey: .byCategory)
        byPriority = container.decodeValidCounts(forKey: .byPriority)
    }
}

/// The time until the first reply from support.
public struct ResponseTimes: Hashable, Sendable, Codable {
    /// The number of conversations with a reply.
    public var answered: Int?
    /// The average time until the first reply in seconds; `nil` if no conversation has a reply.
    public var averageFirstResponse: Double?

    private enum CodingKeys: String, CodingKey {
        case answered
        case averageFirstResponse = "average_first_response_seconds"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        answered = container.decodeCountIfReadable(.answered)
        averageFirstResponse = container.decodeIfReadable(.averageFirstResponse)
    }
}
