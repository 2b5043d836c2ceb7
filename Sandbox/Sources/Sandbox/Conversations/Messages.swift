import Crypto
import CutieAPI
import FoundationEssentials
import GRDB
import Hummingbird

/// Routes for messages and read marks.
struct MessageRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        let path: RouterPath = "/v1/conversations/:conversation/messages"
        router.addResource(at: path, [.get: list, .post: send])
        router.addResource(at: "/v1/conversations/:conversation/messages/mark-all-read", [.post: markRead])
    }

    /// Stores a message from a device, or a reply or note from an admin.
    @Sendable private func send(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSender(of: call, in: archive)
        let id = try call.conversationID()
        let answer = try await archive.change { change in
            let viewer = try change.database.authenticateViewer(with: credential, requiring: .writeMessages)
            let conversation = try change.database.findConversation(id: id, for: viewer)
            let draft = try Draft(call, by: viewer)
            let key = requestParser.parseIdempotencyKey(of: call)
            return try change.performIdempotently(
                forOwner: viewer.idempotencyScope, idempotencyKey: key, requestFingerprint: call.fingerprint
            ) {
                StoredResponse(
                    status: 201, body: try JSON.encode(try change.addMessage(draft, to: conversation)))
            }
        }
        return .makeResponse(from: answer)
    }

    @Sendable private func list(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseCredential(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.read { database in
                let viewer = try database.authenticateViewer(with: credential, requiring: .readConversations)
                let limit = min(try call.queryNumber("limit", default: 50, in: 1...Int.max), 100)
                _ = try database.findConversation(id: id, for: viewer)
                return ["messages": try database.fetchMessages(of: id, for: viewer, limit: limit)]
            })
    }

    @Sendable private func markRead(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                let viewer = Viewer.device(try change.database.authenticateDevice(with: credential))
                let conversation = try change.database.findConversation(id: id, for: viewer)
                let mark: ReadMark = try call.decodeBody()
                let bound = requestParser.isEnabled(.upTo) ? mark.upTo : nil
                let read = try change.markMessagesRead(in: conversation, upTo: bound)
                return ReadMark.Response(
                    upTo: bound, unreadCount: read.unreadCount, totalUnread: read.totalUnread)
            })
    }
}

/// A message that is not stored yet.
struct Draft {
    var text: String
    var sender: SenderType
    var senderID: String?
    var senderName: String?
    var senderAvatarURL: String?
    var isNote = false
}

extension SandboxTransaction {
    /// Stores a message and sends an event. A message from the user reopens a conversation that has ended. A
    /// note does not change the counters and times that devices see.
    func addMessage(_ draft: Draft, to conversation: StoredConversation) throws -> Message {
        if draft.isNote { return try addNote(draft, to: conversation) }
        let conversation = try reopenIfEnded(conversation, forMessage: draft)
        let time = try touch(conversation)
        let message = try storeMessage(draft, in: conversation, at: time)
        let isNews = draft.sender != .user
        try database.run(
            sql: """
                UPDATE conversation SET messageCount = messageCount + 1, unreadCount = unreadCount + ?
                WHERE id = ?
                """,
            arguments: [isNews ? 1 : 0, conversation.id.rawValue])
        let total = try adjustAndReturnUnreadCount(by: isNews ? 1 : 0, ofGroup: conversation.group)
        let event = Event.MessageCreated(
            conversationID: conversation.id, message: message,
            unreadCount: conversation.unreadCount + (isNews ? 1 : 0), totalUnread: total,
            conversation: conversation.summary)
        try recordEvent(
            .messageCreated(event), for: conversation.group, at: time,
            staffData: try makeStaffEventData(for: message, in: conversation))
        return message
    }

    /// Reopens a resolved or closed conversation if the message is from the user. Returns the
    /// conversation in its current state.
    private func reopenIfEnded(
        _ conversation: StoredConversation, forMessage draft: Draft
    ) throws -> StoredConversation {
        guard draft.sender == .user, [.resolved, .closed].contains(conversation.wire.status) else {
            return conversation
        }
        _ = try update(conversation, columns: ["status": Status.open.rawValue])
        return try database.findConversation(id: conversation.id, for: .unrestricted)
    }

    /// Marks messages as read up to `bound`, or all messages if `bound` is `nil`. Never marks a read message
    /// as unread. Returns the remaining unread counts. Sends an event if the counts change.
    func markMessagesRead(in conversation: StoredConversation, upTo bound: Message.ID?) throws
        -> Event.ConversationRead
    {
        let number = try findRowNumber(of: bound, in: conversation)
        var left = conversation.unreadCount
        var total = try database.fetchTotalUnreadCount(of: conversation.group)
        if number > conversation.readThrough {
            left = try countUnreadMessages(in: conversation, afterRow: number)
            try database.run(
                sql: "UPDATE conversation SET readThrough = ?, unreadCount = ? WHERE id = ?",
                arguments: [number, left, conversation.id.rawValue])
        }
        guard left != conversation.unreadCount else {
            return .init(conversationID: conversation.id, unreadCount: left, totalUnread: total)
        }
        total = try adjustAndReturnUnreadCount(
            by: left - conversation.unreadCount, ofGroup: conversation.group)
        let read = Event.ConversationRead(
            conversationID: conversation.id, unreadCount: left, totalUnread: total)
        try recordEvent(.conversationRead(read), for: conversation.group, at: try touch(conversation))
        return read
    }

    private func addNote(_ draft: Draft, to conversation: StoredConversation) throws -> Message {
        try database.run(
            sql: "UPDATE conversation SET noteCount = noteCount + 1 WHERE id = ?",
            arguments: [conversation.id.rawValue])
        let message = try storeMessage(draft, in: conversation, at: now)
        try touchForStaff(conversation, at: now)
        try recordStaffEvent(
            ofType: "message.created", data: try makeStaffEventData(for: message, in: conversation), at: now)
        return message
    }

    /// Returns the event data for admins, which contains the updated conversation.
    private func makeStaffEventData(
        for message: Message, in conversation: StoredConversation
    ) throws -> StaffEvent.Data {
        let changed = try database.findConversation(id: conversation.id, for: .unrestricted)
        return .init(
            message: message, conversation: try database.makeConversation(from: changed, for: .unrestricted))
    }

    private func storeMessage(
        _ draft: Draft, in conversation: StoredConversation, at time: Timestamp
    ) throws -> Message {
        let message = Message(
            id: Message.ID(RandomText.makeID(prefix: "msg_")), conversation: conversation.id,
            senderType: draft.sender,
            senderID: draft.senderID, senderName: draft.senderName, senderAvatarURL: draft.senderAvatarURL,
            text: draft.text, isInternalNote: draft.isNote, createdAt: time)
        try database.run(
            sql: """
                INSERT INTO message (id, conversationID, senderType, senderID, senderName,
                    senderAvatarURL, text, isNote, createdAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                message.id.rawValue, conversation.id.rawValue, draft.sender.rawValue, draft.senderID,
                draft.senderName, draft.senderAvatarURL, draft.text, draft.isNote, time.milliseconds,
            ])
        return message
    }

    private func adjustAndReturnUnreadCount(by difference: Int, ofGroup group: GroupID) throws -> Int {
        if difference != 0 {
            try database.run(
                sql: "UPDATE deviceGroup SET unread = unread + ? WHERE id = ?",
                arguments: [difference, group.rawValue])
        }
        return try database.fetchTotalUnreadCount(of: group)
    }

    /// Returns the row number of a message, which must not be a note. If `messageID` is `nil`,
    /// returns the row number of the newest message, including notes.
    private func findRowNumber(of messageID: Message.ID?, in conversation: StoredConversation) throws -> Int64
    {
        guard let messageID else {
            return try database.fetchNumber(
                sql: "SELECT max(number) FROM message WHERE conversationID = ?",
                arguments: [conversation.id.rawValue]) ?? 0
        }
        let number = try database.fetchNumber(
            sql: "SELECT number FROM message WHERE id = ? AND conversationID = ? AND NOT isNote",
            arguments: [messageID.rawValue, conversation.id.rawValue])
        guard let number else { throw Refusal(.notFound, "message not found in the conversation") }
        return number
    }

    private func countUnreadMessages(in conversation: StoredConversation, afterRow number: Int64) throws
        -> Int
    {
        try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM message
                WHERE conversationID = ? AND number > ? AND senderType != 'user' AND NOT isNote
                """,
            arguments: [conversation.id.rawValue, number]) ?? 0
    }
}

/// The stored response to a request, which is returned again if the client repeats the request.
struct StoredResponse: Sendable {
    let status: Int
    let body: [UInt8]
    var isReplay = false
}

extension SandboxTransaction {
    /// Runs `operation` once per idempotency key of `owner`. Within 24 hours, a repeated request receives the
    /// stored response, and a different request with the same key fails with 422. Without a key, always runs
    /// `operation`.
    func performIdempotently(
        forOwner owner: String, idempotencyKey: String?, requestFingerprint: [UInt8],
        _ operation: () throws -> StoredResponse
    ) throws -> StoredResponse {
        guard let idempotencyKey else { return try operation() }
        guard (1...255).contains(idempotencyKey.utf8.count) else {
            throw Refusal(.badRequest, "Idempotency-Key must have 1 to 255 bytes")
        }
        let fingerprint = Data(SHA256.hash(data: requestFingerprint))
        let dayAgo = now.advanced(bySeconds: -86_400).milliseconds
        try database.run(sql: "DELETE FROM answer WHERE createdAt < ?", arguments: [dayAgo])
        if let kept = try findStoredResponse(forOwner: owner, idempotencyKey: idempotencyKey) {
            guard kept.fingerprint == fingerprint else {
                throw Refusal(.unprocessable, "this Idempotency-Key was already used for another request")
            }
            return kept.answer
        }
        let answer = try operation()
        try database.run(
            sql: "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                owner, idempotencyKey, fingerprint, answer.status, Data(answer.body), now.milliseconds,
            ])
        return answer
    }

    private func findStoredResponse(forOwner owner: String, idempotencyKey: String) throws -> (
        fingerprint: Data, answer: StoredResponse
    )? {
        let row = try database.fetchRow(
            sql: "SELECT * FROM answer WHERE owner = ? AND key = ?", arguments: [owner, idempotencyKey])
        guard let row else { return nil }
        let body: Data = row["body"]
        return (row["fingerprint"], StoredResponse(status: row["status"], body: Array(body), isReplay: true))
    }
}
