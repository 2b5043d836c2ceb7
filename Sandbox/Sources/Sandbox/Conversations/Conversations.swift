import CutieAPI
import GRDB
import HTTPTypes
import Hummingbird

/// Routes for conversations, used by devices and admins.
struct ConversationRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/conversations", [.get: list, .post: create])
        router.addResource(at: "/v1/conversations/:conversation", [.get: show, .patch: change])
    }

    @Sendable private func create(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        let answer = try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            let new: NewConversation = try call.decodeBody()
            try new.validate(expectedAppID: caller.appID)
            let key = requestParser.parseIdempotencyKey(of: call)
            return try change.performIdempotently(
                forOwner: caller.device.rawValue, idempotencyKey: key, requestFingerprint: call.fingerprint
            ) {
                StoredResponse(
                    status: 201, body: try JSON.encode(try change.createConversation(new, by: caller)))
            }
        }
        return .makeResponse(from: answer)
    }

    @Sendable private func list(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseCredential(of: call)
        let known = call.header(HeaderName.ifNoneMatch) ?? ""
        let (tag, page) = try await archive.read { database in
            let viewer = try database.authenticateViewer(with: credential, requiring: .readConversations)
            let request = try PageRequest(call)
            guard requestParser.isEnabled(.etag), case .device(let caller) = viewer else {
                return (
                    String?.none, try Optional(database.fetchConversationPage(matching: request, for: viewer))
                )
            }
            let tag = try database.makeEntityTag(ofPage: request, for: caller)
            return (
                tag,
                known.matchesEntityTag(tag)
                    ? nil : try database.fetchConversationPage(matching: request, for: viewer)
            )
        }
        var response = try page.map { try Response.json($0) } ?? Response(status: .notModified)
        if let tag {
            response.headers[.eTag] = tag
            response.headers[.cacheControl] = "private, no-cache"
        }
        return response
    }

    @Sendable private func show(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseCredential(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.read { database in
                let viewer = try database.authenticateViewer(with: credential, requiring: .readConversations)
                var shown = try database.makeConversation(
                    from: try database.findConversation(id: id, for: viewer), for: viewer)
                shown.messages = try database.fetchMessages(of: id, for: viewer)
                return shown
            })
    }

    @Sendable private func change(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(ofAccessToken: token, scopes: .writeConversations)
                let columns = try call.decodeBody(as: ConversationPatch.self).changedColumns()
                let conversation = try change.database.findConversation(id: id, for: .unrestricted)
                if columns.isEmpty {
                    return try change.database.makeConversation(from: conversation, for: .unrestricted)
                }
                return try change.update(conversation, columns: columns)
            })
    }
}

extension String {
    /// Returns whether this `If-None-Match` value matches the entity tag. The value `*` matches every tag.
    func matchesEntityTag(_ tag: String) -> Bool {
        split(separator: ",").contains { part in
            let part = part.drop { $0 == " " }
            return part == "*" || part == tag || part == "W/" + tag
        }
    }
}

extension SandboxTransaction {
    /// Creates a conversation with its first message.
    func createConversation(_ newConversation: NewConversation, by caller: AuthenticatedDevice) throws
        -> CreatedConversation
    {
        let id = Conversation.ID(RandomText.makeID(prefix: "conv_"))
        try database.run(
            sql: """
                INSERT INTO conversation (id, groupID, deviceID, status, title, category, priority,
                    userID, userName, createdAt, updatedAt, changed, appID)
                VALUES (?, ?, ?, 'open', ?, ?, 'normal', ?, ?, ?, ?, 0, ?)
                """,
            arguments: [
                id.rawValue, caller.group.rawValue, caller.device.rawValue, newConversation.title,
                newConversation.category.rawValue, newConversation.userID, newConversation.userName,
                now.milliseconds, now.milliseconds - 1,
                caller.appID,
            ])
        let conversation = try database.findConversation(id: id, for: .device(caller))
        let draft = Draft(
            text: newConversation.initialMessage, sender: .user, senderID: caller.device.rawValue,
            senderName: newConversation.userName)
        let message = try addMessage(draft, to: conversation)
        return CreatedConversation(id: id, status: .open, message: message.id, createdAt: now)
    }

    /// Updates columns of a conversation and sends an event.
    func update(
        _ conversation: StoredConversation, columns: [String: String?]
    ) throws -> Conversation {
        for (column, value) in columns {
            try database.run(
                sql: "UPDATE conversation SET \(column.quotedDatabaseIdentifier) = ? WHERE id = ?",
                arguments: [value, conversation.id.rawValue])
        }
        return try recordUpdate(of: conversation)
    }

    /// Updates the modification time of a changed conversation and sends an event.
    func recordUpdate(of conversation: StoredConversation) throws -> Conversation {
        let time = try touch(conversation)
        let changed = try database.findConversation(id: conversation.id, for: .unrestricted)
        let caller = AuthenticatedDevice(device: "", group: conversation.group, appID: conversation.appID)
        let shown = try database.makeConversation(from: changed, for: .device(caller))
        let known = try database.makeConversation(from: changed, for: .unrestricted)
        try recordEvent(
            .conversationUpdated(shown), for: conversation.group, at: time,
            staffData: .init(conversation: known))
        return known
    }

    /// Updates the modification times that devices and admins see. Returns the time for devices.
    /// This time always increases, even for two changes within
    /// one millisecond, because a polling client would otherwise miss the second change.
    func touch(_ conversation: StoredConversation) throws -> Timestamp {
        let time = max(now, Timestamp(milliseconds: conversation.updatedAt.milliseconds + 1))
        try database.run(
            sql: "UPDATE conversation SET updatedAt = ?, changed = ? WHERE id = ?",
            arguments: [time.milliseconds, head + 1, conversation.id.rawValue])
        try touchForStaff(conversation, at: time)
        try database.run(
            sql: "UPDATE deviceGroup SET version = version + 1 WHERE id = ?",
            arguments: [conversation.group.rawValue])
        return time
    }
}

extension SandboxTransaction {
    /// Sets the modification time that admins see.
    func touchForStaff(_ conversation: StoredConversation, at time: Timestamp) throws {
        try database.run(
            sql: """
                UPDATE conversation SET staffUpdatedAt = max(?, staffUpdatedAt + 1), staffChanged = ?
                WHERE id = ?
                """,
            arguments: [time.milliseconds, head + 1, conversation.id.rawValue])
    }
}

extension NewConversation {
    /// Validates the fields of a new conversation.
    ///
    /// - Throws: `Refusal` (401 if the App ID is not the expected one, 422 if the category is unknown or
    ///   the message is empty).
    func validate(expectedAppID: String) throws(Refusal) {
        guard self.appID == expectedAppID else {
            throw Refusal(.unauthorized, "app_id does not match X-App-ID")
        }
        try category.validate()
        try initialMessage.requireNonBlank(fieldName: "initial_message")
    }
}

extension String {
    func requireNonBlank(fieldName name: String) throws(Refusal) {
        guard contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.unprocessable, "\(name) must not be empty")
        }
    }
}

extension CutieAPI.Category {
    func validate() throws(Refusal) { try checkField(named: "category", hasValue: self, among: Self.known) }
}

extension Status {
    func validate() throws(Refusal) { try checkField(named: "status", hasValue: self, among: Self.known) }
}

extension Priority {
    func validate() throws(Refusal) { try checkField(named: "priority", hasValue: self, among: Self.known) }
}

private func checkField<Word: OpenEnum>(named name: String, hasValue value: Word, among known: [Word])
    throws(Refusal)
{
    guard known.contains(value) else {
        let words = known.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.unprocessable, "\(name) must be one of \(words)")
    }
}

extension PageRequest {
    /// Parses the query. Limits above 100 are reduced to 100.
    ///
    /// - Throws: `Refusal` if a value is not a number, or a status or category is unknown.
    init(_ call: SandboxCall) throws(Refusal) {
        limit = min(try call.queryNumber("limit", default: 50, in: 1...Int.max), 100)
        offset = try call.queryNumber("offset", default: 0, in: 0...Int.max)
        status = call.queryParameter("status").map(Status.init)
        category = call.queryParameter("category").map(CutieAPI.Category.init)
        try status?.validate()
        try category?.validate()
    }
}
