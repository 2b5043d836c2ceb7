extension Event: Codable {
    enum CodingKeys: String, CodingKey {
        case id, type, data
        case createdAt = "created_at"
    }

    /// Throws only where there is no id. A type this version does not know, or data that cannot be read,
    /// is `.unknown`, so that the cursor can still pass it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        type = container.lenient(.type) ?? ""
        createdAt = container.lenient(.createdAt) ?? Timestamp(milliseconds: 0)
        payload = Payload(type: type, in: container) ?? .unknown(type: type)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(createdAt, forKey: .createdAt)
        try payload.encode(into: &container)
    }
}

extension Event.Payload {
    fileprivate init?(type: String, in container: KeyedDecodingContainer<Event.CodingKeys>) {
        let payload: Event.Payload? =
            switch type {
            case "message.created": container.lenient(.data).map(Self.messageCreated)
            case "conversation.updated":
                container.lenient(.data, as: Updated.self).map { .conversationUpdated($0.conversation) }
            case "conversation.read": container.lenient(.data).map(Self.conversationRead)
            case "badge": container.lenient(.data, as: Badge.self).map { .badge(totalUnread: $0.totalUnread) }
            case "device.linked": container.lenient(.data).map(Self.deviceLinked)
            case "device.unlinked": container.lenient(.data).map(Self.deviceUnlinked)
            case "reset": .reset
            default: nil
            }
        guard let payload else { return nil }
        self = payload
    }

    fileprivate func encode(into container: inout KeyedEncodingContainer<Event.CodingKeys>) throws {
        switch self {
        case .messageCreated(let data): try container.encode(data, forKey: .data)
        case .conversationUpdated(let conversation):
            try container.encode(Updated(conversation: conversation), forKey: .data)
        case .conversationRead(let data): try container.encode(data, forKey: .data)
        case .badge(let total): try container.encode(Badge(totalUnread: total), forKey: .data)
        case .deviceLinked(let data), .deviceUnlinked(let data): try container.encode(data, forKey: .data)
        case .reset, .unknown: try container.encode([String: String](), forKey: .data)
        }
    }
}

private struct Updated: Codable {
    let conversation: Conversation
}

private struct Badge: Codable {
    let totalUnread: Int

    enum CodingKeys: String, CodingKey {
        case totalUnread = "total_unread"
    }

    init(totalUnread: Int) { self.totalUnread = totalUnread }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let total = container.lenientCount(.totalUnread) else {
            throw DecodingError.keyNotFound(
                CodingKeys.totalUnread, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        totalUnread = total
    }
}
