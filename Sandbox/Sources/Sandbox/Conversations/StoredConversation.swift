import CutieAPI
import GRDB

/// A row of the table `conversation`, including the columns that are not part of the API.
struct StoredConversation: FetchableRecord {
    let id: Conversation.ID
    let group: GroupID
    let appID: String
    let updatedAt: Timestamp
    /// The time of the last change that admins can see, including notes.
    let staffUpdatedAt: Timestamp
    let noteCount: Int
    let unreadCount: Int
    let readThrough: Int64
    /// The conversation as sent to a device, without tags and messages.
    let wire: Conversation

    init(row: Row) {
        id = Conversation.ID(row["id"])
        group = GroupID(row["groupID"])
        appID = row["appID"]
        updatedAt = Timestamp(milliseconds: row["updatedAt"])
        staffUpdatedAt = Timestamp(milliseconds: row["staffUpdatedAt"])
        noteCount = row["noteCount"]
        unreadCount = row["unreadCount"]
        readThrough = row["readThrough"]
        wire = Self.decodeConversation(from: row, id: id)
    }

    private static func decodeConversation(from row: Row, id: Conversation.ID) -> Conversation {
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

    /// The summary of the conversation in each message event.
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

extension Database {
    /// Returns a conversation.
    ///
    /// - Throws: `Refusal` (404) if the conversation does not exist or belongs to another group. The response
    ///   is the same in both cases, so that a client cannot find out which IDs exist.
    func findConversation(id: Conversation.ID, for viewer: Viewer) throws -> StoredConversation {
        let found = try StoredConversation.fetchOne(
            try cachedStatement(sql: "SELECT * FROM conversation WHERE id = ?"), arguments: [id.rawValue])
        guard let found else { throw Refusal(.notFound, "conversation not found") }
        if case .device(let caller) = viewer, caller.group != found.group {
            throw Refusal(.notFound, "conversation not found")
        }
        return found
    }

    /// Returns the API representation of conversations for `viewer`, with tags but without messages.
    func makeConversations(from stored: [StoredConversation], for viewer: Viewer) throws -> [Conversation] {
        let first = try findSetting("app_id")
        let tags = Dictionary(grouping: try fetchTags(of: stored.map(\.id)), by: \.conversation)
        return stored.map { conversation in
            var wire = conversation.wire
            wire.appName = conversation.appID == first ? "Sandbox" : conversation.appID
            wire.tags = tags[conversation.id] ?? []
            if viewer.seesNotes {
                wire.messageCount = (wire.messageCount ?? 0) + conversation.noteCount
                wire.updatedAt = conversation.staffUpdatedAt
            }
            return wire
        }
    }

    func makeConversation(from stored: StoredConversation, for viewer: Viewer) throws -> Conversation {
        try makeConversations(from: [stored], for: viewer).first ?? stored.wire
    }

    /// Returns the newest `limit` messages in chronological order.
    func fetchMessages(
        of conversation: Conversation.ID, for viewer: Viewer, limit: Int = .max
    ) throws -> [Message] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT * FROM message WHERE conversationID = ? AND isNote <= ?
                ORDER BY number DESC LIMIT ?
                """,
            arguments: [conversation.rawValue, viewer.seesNotes, limit])
        return rows.reversed().map(Message.init(row:))
    }

    func fetchTotalUnreadCount(of group: GroupID) throws -> Int {
        let unread = try fetchNumber(
            sql: "SELECT unread FROM deviceGroup WHERE id = ?", arguments: [group.rawValue])
        return Int(unread ?? 0)
    }
}

/// The page and the filters of a conversation list.
struct PageRequest: Sendable {
    var limit: Int
    var offset: Int
    var status: Status?
    var category: CutieAPI.Category?
}

extension Database {
    /// Returns a page of conversations, most recently changed first. Conversations that changed in the same
    /// millisecond are sorted by event number.
    func fetchConversationPage(matching request: PageRequest, for viewer: Viewer) throws -> ConversationPage {
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        func addCondition(onColumn column: String, isEqualTo value: String?) {
            guard let value else { return }
            conditions.append("\(column) = ?")
            arguments.append(value)
        }
        if case .device(let caller) = viewer {
            addCondition(onColumn: "groupID", isEqualTo: caller.group.rawValue)
        }
        addCondition(onColumn: "status", isEqualTo: request.status?.rawValue)
        addCondition(onColumn: "category", isEqualTo: request.category?.rawValue)
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let order =
            viewer.seesNotes ? "staffUpdatedAt DESC, staffChanged DESC" : "updatedAt DESC, changed DESC"
        let found = try StoredConversation.fetchAll(
            self,
            sql: """
                SELECT * FROM conversation \(filter)
                ORDER BY \(order) LIMIT ? OFFSET ?
                """,
            arguments: StatementArguments(arguments + [request.limit, request.offset]))
        return ConversationPage(
            conversations: try makeConversations(from: found, for: viewer),
            totalUnread: try fetchTotalUnreadCount(for: viewer))
    }

    /// Returns the entity tag of a page. The tag changes whenever the inbox of the group changes.
    func makeEntityTag(ofPage request: PageRequest, for caller: AuthenticatedDevice) throws -> String {
        let version = try fetchNumber(
            sql: "SELECT version FROM deviceGroup WHERE id = ?",
            arguments: [caller.group.rawValue])
        let filters = [request.status?.rawValue, request.category?.rawValue].map { $0 ?? "" }
        return "\"\(caller.group)-\(version ?? 0)-\(request.limit)-\(request.offset)"
            + (filters == ["", ""] ? "" : "-" + filters.joined(separator: "-")) + "\""
    }

    private func fetchTotalUnreadCount(for viewer: Viewer) throws -> Int? {
        guard case .device(let caller) = viewer else { return nil }
        return try fetchTotalUnreadCount(of: caller.group)
    }
}
