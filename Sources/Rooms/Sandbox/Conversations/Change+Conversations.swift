import CutieAPI
import GRDB

extension Change {
    /// Makes a conversation and its first message.
    func create(_ new: NewConversation, by caller: Caller) throws -> CreatedConversation {
        let id = Conversation.ID(Secret.make("conv_"))
        try database.run(
            sql: """
                INSERT INTO conversation (id, groupID, deviceID, status, title, category, priority,
                    userID, userName, createdAt, updatedAt, changed, appID)
                VALUES (?, ?, ?, 'open', ?, ?, 'normal', ?, ?, ?, ?, 0, ?)
                """,
            arguments: [
                id.rawValue, caller.group.rawValue, caller.device.rawValue, new.title,
                new.category.rawValue, new.userID, new.userName, now.milliseconds, now.milliseconds - 1,
                caller.appID,
            ])
        let conversation = try database.conversation(id, for: .device(caller))
        let draft = Draft(
            text: new.initialMessage, sender: .user, senderID: caller.device.rawValue,
            senderName: new.userName)
        let message = try add(draft, to: conversation)
        return CreatedConversation(id: id, status: .open, message: message.id, createdAt: now)
    }

    /// Changes some of an admin's columns and tells it.
    func update(
        _ conversation: StoredConversation, _ columns: [String: String?]
    ) throws -> Conversation {
        for (column, value) in columns {
            try database.run(
                sql: "UPDATE conversation SET \(column.quotedDatabaseIdentifier) = ? WHERE id = ?",
                arguments: [value, conversation.id.rawValue])
        }
        return try tellUpdate(of: conversation)
    }

    /// What changed is stored already; here its time moves and its devices are told.
    func tellUpdate(of conversation: StoredConversation) throws -> Conversation {
        let time = try touch(conversation)
        let changed = try database.conversation(conversation.id, for: .admin)
        let caller = Caller(device: "", group: conversation.group, appID: conversation.appID)
        let shown = try database.shown(changed, to: .device(caller))
        try tell(.conversationUpdated(shown), to: conversation.group, at: time)
        return try database.shown(changed, to: .admin)
    }

    /// Gives the conversation the time of a change that its devices can see. It is later than the one
    /// before even within a millisecond, or a poll would take the change for known.
    func touch(_ conversation: StoredConversation) throws -> Timestamp {
        let time = max(now, Timestamp(milliseconds: conversation.updatedAt.milliseconds + 1))
        try database.run(
            sql: "UPDATE conversation SET updatedAt = ?, changed = ? WHERE id = ?",
            arguments: [time.milliseconds, head + 1, conversation.id.rawValue])
        try database.run(
            sql: "UPDATE deviceGroup SET version = version + 1 WHERE id = ?",
            arguments: [conversation.group.rawValue])
        return time
    }
}
