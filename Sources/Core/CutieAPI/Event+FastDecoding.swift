/// A fast decoder for the usual JSON of `message.created`, the most frequent event. All other events are
/// decoded with `Codable`, which takes ten times as long. Fuzz tests (Tests/Fuzzing) check that both decoders
/// return equal values.
extension Event {
    /// Decodes an event; `nil` if it is not a `message.created`, or if its JSON has an unusual form.
    package init?(usual data: some Sequence<UInt8>) {
        let event = data.withContiguousStorageIfAvailable { bytes in
            var cursor = JSONCursor(bytes)
            return try? Event(reading: &cursor)
        }
        guard let event = event ?? nil else { return nil }
        self = event
    }

    private init(reading cursor: inout JSONCursor) throws(JSONCursor.UnsupportedJSON) {
        var isReply = false
        var (id, created): (String?, MessageCreated?)
        var time: Timestamp?
        try cursor.readObject { (cursor, key) throws(JSONCursor.UnsupportedJSON) in
            switch key {
            case "id":
                id = try cursor.readString()
            case "type":
                isReply = try cursor.readString() == "message.created"
                if !isReply { throw JSONCursor.UnsupportedJSON() }
            case "created_at":
                time = try cursor.readInteger().map(Timestamp.init(whole:))
            case "data":
                created = try MessageCreated(reading: &cursor)
            default: try cursor.skipValue()
            }
        }
        try cursor.finish()
        guard isReply, let id, let created else { throw JSONCursor.UnsupportedJSON() }
        self.init(
            id: ID(id), createdAt: time ?? Timestamp(milliseconds: 0), payload: .messageCreated(created))
    }
}

extension Event.MessageCreated {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONCursor.UnsupportedJSON) {
        var (outer, message): (String?, Message?)
        var (unread, total): (Int64?, Int64?)
        var summary: Event.Summary?
        try cursor.readObject { (cursor, key) throws(JSONCursor.UnsupportedJSON) in
            switch key {
            case "conversation_id":
                outer = try cursor.readString()
            case "message":
                message = try Message(reading: &cursor)
            case "unread_count":
                unread = try cursor.readInteger()
            case "total_unread":
                total = try cursor.readInteger()
            case "conversation":
                summary = try cursor.skipNullIfPresent() ? nil : Event.Summary(reading: &cursor)
            default: try cursor.skipValue()
            }
        }
        guard let message, let outer, !outer.isEmpty else { throw JSONCursor.UnsupportedJSON() }
        self.init(
            conversationID: Conversation.ID(outer), message: message,
            unreadCount: unread.map(Self.bounded), totalUnread: total.map(Self.bounded), conversation: summary
        )
        if message.conversation.rawValue.isEmpty { self.message.conversation = conversationID }
    }

    private static func bounded(_ count: Int64) -> Int { Int(count).boundedCount }
}

extension Event.Summary {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONCursor.UnsupportedJSON) {
        var (title, category): (String?, String?)
        var (priority, status): (String?, String?)
        try cursor.readObject { (cursor, key) throws(JSONCursor.UnsupportedJSON) in
            switch key {
            case "title":
                title = try cursor.readString()
            case "category":
                category = try cursor.readString()
            case "priority":
                priority = try cursor.readString()
            case "status":
                status = try cursor.readString()
            default: try cursor.skipValue()
            }
        }
        self.init(
            title: title, category: category.map(Category.init), priority: priority.map(Priority.init),
            status: status.map(Status.init))
    }
}

extension Message {
    fileprivate init(reading cursor: inout JSONCursor) throws(JSONCursor.UnsupportedJSON) {
        var id: String?
        var message = Message(
            id: "", conversation: "", senderType: .admin, text: "", createdAt: Timestamp(milliseconds: 0))
        try cursor.readObject { (cursor, key) throws(JSONCursor.UnsupportedJSON) in
            switch key {
            case "message_id":
                id = try cursor.readString()
            case "conversation_id":
                message.conversation = Conversation.ID(try cursor.readString() ?? "")
            case "sender_type":
                if let type = try cursor.readString() { message.senderType = SenderType(type) }
            case "sender_id":
                message.senderID = try cursor.readString()
            case "sender_name":
                message.senderName = try cursor.readString()
            case "sender_avatar_url":
                message.senderAvatarURL = try cursor.readString()
            case "message":
                message.text = try cursor.readString() ?? ""
            default: try message.readValue(of: &cursor, key)
            }
        }
        guard let id else { throw JSONCursor.UnsupportedJSON() }
        message.id = ID(id)
        self = message
    }

    private mutating func readValue(
        of cursor: inout JSONCursor, _ key: JSONCursor.Key
    ) throws(JSONCursor.UnsupportedJSON) {
        switch key {
        case "message_type":
            if let type = try cursor.readString() { self.type = type }
        case "is_internal_note":
            isInternalNote = try cursor.readFlag() ?? false
        case "created_at":
            if let time = try cursor.readInteger() { createdAt = Timestamp(whole: time) }
        default: try cursor.skipValue()
        }
    }
}
