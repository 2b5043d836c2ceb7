import JSONReading

/// A fast path for `message.created`, the most frequent event, in its usual JSON form. All other events are
/// decoded with `Codable`, which takes ten times as long. Both decoders return equal values for input that
/// both accept (Tests/Fuzzing).
extension Event {
    /// Decodes an event; `nil` if the event is not a `message.created`, or if the JSON has an unusual form.
    package init?(usual data: some Sequence<UInt8>) {
        let event = data.withContiguousStorageIfAvailable { bytes in
            var cursor = JSONCursor(bytes)
            return try? Event(reading: &cursor)
        }
        guard let event = event ?? nil else { return nil }
        self = event
    }

    private init(reading cursor: inout JSONCursor) throws(JSONError) {
        var isReply = false
        var (id, created): (String?, MessageCreated?)
        var time: Timestamp?
        try cursor.readUnambiguousObject { (cursor, key) throws(JSONError) in
            switch key {
            case "id":
                id = try cursor.readStringOrNull()
            case "type":
                isReply = try cursor.readStringOrNull() == "message.created"
                if !isReply { throw JSONError.unusual }
            case "created_at":
                time = try cursor.readIntegerOrNull().map(Timestamp.init(serverInteger:))
            case "data":
                created = try MessageCreated(reading: &cursor)
            default: try cursor.skipValue(maxDepth: 16)
            }
        }
        try cursor.expectEnd()
        guard isReply, let id, let created else { throw JSONError.unusual }
        self.init(
            id: ID(id), createdAt: time ?? Timestamp(milliseconds: 0), payload: .messageCreated(created))
    }
}

extension Event.MessageCreated {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONError) {
        var (outer, message): (String?, Message?)
        var (unread, total): (Int64?, Int64?)
        var summary: Event.Summary?
        try cursor.readUnambiguousObject { (cursor, key) throws(JSONError) in
            switch key {
            case "conversation_id":
                outer = try cursor.readStringOrNull()
            case "message":
                message = try Message(reading: &cursor)
            case "unread_count":
                unread = try cursor.readIntegerOrNull()
            case "total_unread":
                total = try cursor.readIntegerOrNull()
            case "conversation":
                summary = cursor.skipNullIfPresent() ? nil : try Event.Summary(reading: &cursor)
            default: try cursor.skipValue(maxDepth: 16)
            }
        }
        guard let message, let outer, !outer.isEmpty else { throw JSONError.unusual }
        self.init(
            conversationID: Conversation.ID(outer), message: message,
            unreadCount: unread.map(Self.boundedCount), totalUnread: total.map(Self.boundedCount),
            conversation: summary
        )
        if message.conversation.rawValue.isEmpty { self.message.conversation = conversationID }
    }

    private static func boundedCount(_ count: Int64) -> Int { Int(count).boundedCount }
}

extension Event.Summary {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONError) {
        var (title, category): (String?, String?)
        var (priority, status): (String?, String?)
        try cursor.readUnambiguousObject { (cursor, key) throws(JSONError) in
            switch key {
            case "title":
                title = try cursor.readStringOrNull()
            case "category":
                category = try cursor.readStringOrNull()
            case "priority":
                priority = try cursor.readStringOrNull()
            case "status":
                status = try cursor.readStringOrNull()
            default: try cursor.skipValue(maxDepth: 16)
            }
        }
        self.init(
            title: title, category: category.map(Category.init), priority: priority.map(Priority.init),
            status: status.map(Status.init))
    }
}

extension Message {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONError) {
        var id: String?
        var message = Message(
            id: "", conversation: "", senderType: .admin, text: "", createdAt: Timestamp(milliseconds: 0))
        try cursor.readUnambiguousObject { (cursor, key) throws(JSONError) in
            switch key {
            case "message_id":
                id = try cursor.readStringOrNull()
            case "conversation_id":
                message.conversation = Conversation.ID(try cursor.readStringOrNull() ?? "")
            case "sender_type":
                if let type = try cursor.readStringOrNull() { message.senderType = SenderType(type) }
            case "sender_id":
                message.senderID = try cursor.readStringOrNull()
            case "sender_name":
                message.senderName = try cursor.readStringOrNull()
            case "sender_avatar_url":
                message.senderAvatarURL = try cursor.readStringOrNull()
            case "message":
                message.text = try cursor.readStringOrNull() ?? ""
            default: try message.readValue(from: &cursor, forKey: key)
            }
        }
        guard let id else { throw JSONError.unusual }
        message.id = ID(id)
        self = message
    }

    private mutating func readValue(
        from cursor: inout JSONCursor, forKey key: JSONCursor.Key
    ) throws(JSONError) {
        switch key {
        case "message_type":
            if let type = try cursor.readStringOrNull() { self.type = type }
        case "is_internal_note":
            isInternalNote = cursor.skipNullIfPresent() ? false : try cursor.readFlag()
        case "created_at":
            if let time = try cursor.readIntegerOrNull() { createdAt = Timestamp(serverInteger: time) }
        default: try cursor.skipValue(maxDepth: 16)
        }
    }
}

extension JSONCursor {
    fileprivate mutating func readStringOrNull() throws(JSONError) -> String? {
        skipNullIfPresent() ? nil : try readString()
    }

    fileprivate mutating func readIntegerOrNull() throws(JSONError) -> Int64? {
        skipNullIfPresent() ? nil : try readInteger()
    }
}
