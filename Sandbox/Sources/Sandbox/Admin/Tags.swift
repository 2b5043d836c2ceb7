import CutieAPI
import GRDB
import Hummingbird

/// Routes for the tags of a conversation and for assigning a conversation to an admin.
struct TagRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/tags", [.get: list])
        router.addResource(at: "/v1/conversations/:conversation/tags", [.post: add])
        router.addResource(at: "/v1/conversations/:conversation/tags/:tag", [.delete: remove])
        router.addResource(at: "/v1/conversations/:conversation/assign", [.post: assignConversation])
    }

    /// Returns the tags of all conversations.
    @Sendable private func list(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(ofAccessToken: token, scopes: .readConversations)
                return ["tags": try database.fetchTags(of: nil)]
            })
    }

    @Sendable private func add(_ call: SandboxCall) async throws -> Response {
        let name = try call.decodeBody(as: NewTag.self).tag
        try name.requireNonBlank(fieldName: "tag")
        return try await changeTags(requestedBy: call) { change, conversation in
            try change.database.run(
                sql: "INSERT OR IGNORE INTO tag (id, conversationID, name) VALUES (?, ?, ?)",
                arguments: [RandomText.makeID(prefix: "tag_"), conversation.id.rawValue, name])
        }
    }

    /// Removes a tag by name or ID. Succeeds even if the tag does not exist.
    @Sendable private func remove(_ call: SandboxCall) async throws -> Response {
        let tag = try call.pathParameter("tag")
        return try await changeTags(requestedBy: call) { change, conversation in
            try change.database.run(
                sql: "DELETE FROM tag WHERE conversationID = ? AND (name = ? OR id = ?)",
                arguments: [conversation.id.rawValue, tag, tag])
        }
    }

    private func changeTags(
        requestedBy call: SandboxCall,
        _ work: @escaping @Sendable (SandboxTransaction, StoredConversation) throws -> Void
    ) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(ofAccessToken: token, scopes: .writeTags)
                let conversation = try change.database.findConversation(id: id, for: .unrestricted)
                try work(change, conversation)
                if change.database.changesCount > 0 { _ = try change.recordUpdate(of: conversation) }
                return ["tags": try change.database.fetchTags(of: [id])]
            })
    }

    @Sendable private func assignConversation(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(ofAccessToken: token, scopes: .writeConversations)
                let conversation = try change.database.findConversation(id: id, for: .unrestricted)
                let admin = try call.decodeBody(as: Assignment.self).admin
                return try change.update(conversation, columns: ["adminID": admin])
            })
    }
}

private struct NewTag: Decodable {
    let tag: String
}

/// The request body of an assignment. If `admin_id` is null, the assignment is removed; a missing `admin_id`
/// is an error.
private struct Assignment: Decodable {
    let admin: String?

    enum CodingKeys: String, CodingKey {
        case admin = "admin_id"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        admin = try container.decodeNil(forKey: .admin) ? nil : container.decode(String.self, forKey: .admin)
    }
}

extension Database {
    /// Returns the tags of the given conversations, sorted by name. If `conversations` is `nil`, returns the
    /// tags of all conversations.
    func fetchTags(of conversations: [Conversation.ID]?) throws -> [Tag] {
        let ids = conversations.map { $0.map(\.rawValue) } ?? []
        let marks = ids.map { _ in "?" }.joined(separator: ",")
        let filter = conversations == nil ? "" : "WHERE conversationID IN (\(marks))"
        let rows = try Row.fetchAll(
            self, sql: "SELECT * FROM tag \(filter) ORDER BY name, conversationID",
            arguments: StatementArguments(ids))
        return rows.map(Tag.init(row:))
    }
}

extension Tag {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], conversation: Conversation.ID(row["conversationID"]), name: row["name"],
            color: row["color"])
    }
}
