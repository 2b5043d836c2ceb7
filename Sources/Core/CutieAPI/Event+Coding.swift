extension Event: Codable {
    enum CodingKeys: String, CodingKey {
        case id, type, data
        case createdAt = "created_at"
    }

    /// Decodes an event. Throws only if the event has no ID. If the type is unknown or the data is invalid,
    /// the payload is `.unknown`, so that the cursor still advances past the event.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        type = container.decodeIfReadable(.type) ?? ""
        createdAt = container.decodeIfReadable(.createdAt) ?? Timestamp(milliseconds: 0)
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
            switch EventType(rawValue: type) {
            case .messageCreated: container.decodeIfReadable(.data).map(Self.messageCreated)
            case .conversationUpdated:
                container.decodeIfReadable(.data, as: Updated.self).map {
                    .conversationUpdated($0.conversation)
                }
            case .conversationRead: container.decodeIfReadable(.data).map(Self.conversationRead)
            case .badge:
                container.decodeIfReadable(.data, as: BadgePayload.self).map {
                    .badge(totalUnread: $0.totalUnread)
                }
            case .deviceLinked: container.decodeIfReadable(.data).map(Self.deviceLinked)
            case .deviceUnlinked: container.decodeIfReadable(.data).map(Self.deviceUnlinked)
            case .reset: .reset
            case nil: nil
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
        case .badge(let total): try container.encode(BadgePayload(totalUnread: total), forKey: .data)
        case .deviceLinked(let data), .deviceUnlinked(let data): try container.encode(data, forKey: .data)
        case .reset, .unknown: try container.encode([String: String](), forKey: .data)
        }
    }
}

private struct Updated: Codable {
    let conversation: Conversation
}

private struct BadgePayload: Codable {
    let totalUnread: Int

    enum CodingKeys: String, CodingKey {
        case totalUnread = "total_unread"
    }

    init(totalUnread: Int) { self.totalUnread = totalUnread }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let total = container.decodeCountIfReadable(.totalUnread) else {
            throw DecodingError.keyNotFound(
                CodingKeys.totalUnread, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        totalUnread = total
    }
}

extension Event.MessageCreated {
    enum CodingKeys: String, CodingKey {
        case message, conversation
        case conversationID = "conversation_id"
        case unreadCount = "unread_count"
        case totalUnread = "total_unread"
    }

    /// Decodes the event. The JSON contains the conversation's ID in the event and in the message; one of the
    /// two IDs may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try container.decode(Message.self, forKey: .message)
        if let outer: Conversation.ID = container.decodeIfReadable(.conversationID), !outer.rawValue.isEmpty {
            conversationID = outer
            if message.conversation.rawValue.isEmpty { message.conversation = outer }
        } else if !message.conversation.rawValue.isEmpty {
            conversationID = message.conversation
        } else {
            throw DecodingError.keyNotFound(
                CodingKeys.conversationID, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        unreadCount = container.decodeCountIfReadable(.unreadCount)
        totalUnread = container.decodeCountIfReadable(.totalUnread)
        conversation = container.decodeIfReadable(.conversation)
    }
}

extension Event.Summary {
    enum CodingKeys: String, CodingKey {
        case title, category, priority, status
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = container.decodeIfReadable(.title)
        category = container.decodeIfReadable(.category)
        priority = container.decodeIfReadable(.priority)
        status = container.decodeIfReadable(.status)
    }
}

extension Event.ConversationRead {
    enum CodingKeys: String, CodingKey {
        case conversationID = "conversation_id"
        case unreadCount = "unread_count"
        case totalUnread = "total_unread"
    }

    /// Decodes a missing count as 0. Throws for an invalid count, because 0 would mean "no unread messages".
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        conversationID = try container.decode(Conversation.ID.self, forKey: .conversationID)
        let isGiven = try container.contains(.unreadCount) && !container.decodeNil(forKey: .unreadCount)
        unreadCount =
            try isGiven ? container.decode(LenientInteger.self, forKey: .unreadCount).value.boundedCount : 0
        totalUnread = container.decodeCountIfReadable(.totalUnread)
    }
}

extension Event.LinkChange {
    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case deviceID = "device_id"
        case deviceName = "device_name"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        groupID = container.decodeIDIfReadable(.groupID)
        deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
        deviceName = container.decodeIfReadable(.deviceName)
    }
}
