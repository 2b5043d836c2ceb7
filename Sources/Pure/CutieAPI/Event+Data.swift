extension Event.MessageCreated {
    enum CodingKeys: String, CodingKey {
        case message, conversation
        case conversationID = "conversation_id"
        case unreadCount = "unread_count"
        case totalUnread = "total_unread"
    }

    /// The conversation is told twice: what one place leaves out, the other gives.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try container.decode(Message.self, forKey: .message)
        if let outer: Conversation.ID = container.lenient(.conversationID), !outer.rawValue.isEmpty {
            conversationID = outer
            if message.conversation.rawValue.isEmpty { message.conversation = outer }
        } else if !message.conversation.rawValue.isEmpty {
            conversationID = message.conversation
        } else {
            throw DecodingError.keyNotFound(
                CodingKeys.conversationID, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        unreadCount = container.lenientCount(.unreadCount)
        totalUnread = container.lenientCount(.totalUnread)
        conversation = container.lenient(.conversation)
    }
}

extension Event.Summary {
    enum CodingKeys: String, CodingKey {
        case title, category, priority, status
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = container.lenient(.title)
        category = container.lenient(.category)
        priority = container.lenient(.priority)
        status = container.lenient(.status)
    }
}

extension Event.ConversationRead {
    enum CodingKeys: String, CodingKey {
        case conversationID = "conversation_id"
        case unreadCount = "unread_count"
        case totalUnread = "total_unread"
    }

    /// Read, without a count, means that nothing is unread.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        conversationID = try container.decode(Conversation.ID.self, forKey: .conversationID)
        unreadCount = container.lenientCount(.unreadCount) ?? 0
        totalUnread = container.lenientCount(.totalUnread)
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
        groupID = container.lenient(.groupID)
        deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
        deviceName = container.lenient(.deviceName)
    }
}
