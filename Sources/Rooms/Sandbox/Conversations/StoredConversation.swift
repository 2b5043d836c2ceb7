import CutieAPI
import GRDB

/// A row of a conversation, with what the wire does not tell.
struct StoredConversation: FetchableRecord {
    let id: Conversation.ID
    let group: GroupID
    let appID: String
    let updatedAt: Timestamp
    let noteCount: Int
    let unreadCount: Int
    let readThrough: Int64
    /// As a device sees it, without tags and messages.
    let wire: Conversation

    init(row: Row) {
        id = Conversation.ID(row["id"])
        group = GroupID(row["groupID"])
        appID = row["appID"]
        updatedAt = Timestamp(milliseconds: row["updatedAt"])
        noteCount = row["noteCount"]
        unreadCount = row["unreadCount"]
        readThrough = row["readThrough"]
        wire = Self.wire(row, id: id)
    }

    private static func wire(_ row: Row, id: Conversation.ID) -> Conversation {
        var wire = Conversation(id: id, status: Status(row["status"]))
        wire.title = row["title"]
        wire.appID = row["appID"]
        wire.category = Category(row["category"])
        wire.priority = Priority(row["priority"])
        wire.userID = row["userID"]
        wire.userName = row["userName"]
        wire.deviceID = DeviceID(row["deviceID"])
        wire.assignedAdminID = row["adminID"]
        wire.messageCount = row["messageCount"]
        wire.unreadCount = row["unreadCount"]
        wire.createdAt = Timestamp(milliseconds: row["createdAt"])
        wire.updatedAt = Timestamp(milliseconds: row["updatedAt"])
        return wire
    }

    /// The few fields that travel with each new message.
    var summary: Event.Summary {
        Event.Summary(
            title: wire.title, category: wire.category, priority: wire.priority, status: wire.status)
    }
}

extension Message {
    init(row: Row) {
        self.init(
            id: ID(row["id"]), conversation: Conversation.ID(row["conversationID"]),
            senderType: SenderType(row["senderType"]), senderID: row["senderID"],
            senderName: row["senderName"], senderAvatarURL: row["senderAvatarURL"], text: row["text"],
            isInternalNote: row["isNote"], createdAt: Timestamp(milliseconds: row["createdAt"]))
    }
}
