import CutieAPI
import GRDB

extension Database {
    /// Throws 404 where there is none, and where it is another group's: that it exists is not told.
    func conversation(_ id: Conversation.ID, for viewer: Viewer) throws -> StoredConversation {
        let found = try StoredConversation.fetchOne(
            try cachedStatement(sql: "SELECT * FROM conversation WHERE id = ?"), arguments: [id.rawValue])
        guard let found else { throw Refusal(.notFound, "no such conversation") }
        if case .device(let caller) = viewer, caller.group != found.group {
            throw Refusal(.notFound, "no such conversation")
        }
        return found
    }

    /// As `viewer` sees it, with its tags and without its messages.
    func shown(_ stored: [StoredConversation], to viewer: Viewer) throws -> [Conversation] {
        let first = try setting("app_id")
        let tags = Dictionary(grouping: try tags(of: stored.map(\.id)), by: \.conversation)
        return stored.map { conversation in
            var wire = conversation.wire
            wire.appName = conversation.appID == first ? "Sandbox" : conversation.appID
            wire.tags = tags[conversation.id] ?? []
            if viewer.seesNotes { wire.messageCount = (wire.messageCount ?? 0) + conversation.noteCount }
            return wire
        }
    }

    func shown(_ stored: StoredConversation, to viewer: Viewer) throws -> Conversation {
        try shown([stored], to: viewer).first ?? stored.wire
    }

    /// The oldest first; with a limit, the newest so many.
    func messages(
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

    func totalUnread(of group: GroupID) throws -> Int {
        let unread = try number(
            sql: "SELECT unread FROM deviceGroup WHERE id = ?", arguments: [group.rawValue])
        return Int(unread ?? 0)
    }
}
