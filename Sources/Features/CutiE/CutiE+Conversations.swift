import AccessAPI
import FoundationEssentials

extension CutiE {
    /// Creates a conversation with you, the developer of the app.
    ///
    /// - Parameters:
    ///   - category: the topic.
    ///   - message: the user's text, at most 1 MiB.
    ///   - title: the subject; `nil` for the first words of the message.
    ///   - completion: called once, on a background thread, with the ID of the conversation. If the API is
    ///   not reachable, the conversation is queued, and `completion` is called after the API has received it.
    ///   Use ``submitConversation(category:message:title:)-method`` if you need the result without waiting
    ///   for the network.
    public func createConversation(
        category: ConversationCategory, message: String, title: String? = nil,
        completion: @escaping (Result<String, CutiEError>) -> Void
    ) {
        // Like the closure in the SDK, this closure need not be `Sendable`: it is called once and released
        // with the task.
        nonisolated(unsafe) let completion = completion
        Task {
            completion(
                await session.result {
                    try Self.check(message)
                    let reply = try await session.askUntilSent(
                        CreateConversation(category: category.rawValue, title: title, message: message)
                    ) { $0.queued }
                    guard let id = reply.conversationId else {
                        throw CutiEError.decodingError("the API reported no conversation id")
                    }
                    return id
                })
        }
    }

    /// Creates a conversation with you, the developer of the app, without waiting for the network. The SDK
    /// has no such method.
    ///
    /// - Parameters:
    ///   - category: the topic.
    ///   - message: the user's text, at most 1 MiB.
    ///   - title: the subject; `nil` for the first words of the message.
    /// - Returns: a receipt with the ID of the conversation. The receipt has no ID if the conversation is
    ///   queued because the API is not reachable. A queued conversation is sent automatically.
    @discardableResult
    public func submitConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        try Self.check(message)
        let reply = try await session.askOnce(
            CreateConversation(category: category.rawValue, title: title, message: message))
        return Receipt(conversationId: reply.conversationId, messageId: nil, isQueued: reply.queued)
    }

    /// Returns the app's conversations without their messages, most recent change first.
    public func getConversations() async throws -> [Conversation] { try await getConversations(limit: nil) }

    /// Returns at most `limit` conversations without their messages, most recent change first. The SDK has no
    /// such method.
    public func getConversations(limit: Int?) async throws -> [Conversation] {
        let reply = try await session.ask(ListConversations(limit: limit))
        if let badge = reply.badge { session.setUnread(badge) }
        return reply.conversations.map { Conversation($0) }
    }

    /// Returns a conversation with its messages, oldest first.
    public func getConversation(id: String) async throws -> Conversation {
        let reply = try await session.ask(GetConversation(conversation: id))
        return Conversation(reply.conversation, messages: reply.messages.map { Message($0) })
    }

    /// Sends a message of at most 1 MiB to a conversation, and waits until the API has received it.
    ///
    /// If the API is not reachable, the message is queued and this method waits. Cancelling the task ends the
    /// wait, but the message is still sent.
    public func sendMessage(conversationId: String, message: String) async throws -> Message {
        try Self.check(message)
        let reply = try await session.askUntilSent(
            SendMessage(conversation: conversationId, message: message)
        ) { $0.queued }
        return Message(
            id: reply.messageId ?? "", conversationID: conversationId, senderType: .user,
            senderName: session.settings.user?.name, message: message,
            createdAt: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Sends a message of at most 1 MiB to a conversation, without waiting for the network. The SDK has no
    /// such method.
    @discardableResult
    public func submitMessage(conversationId: String, message: String) async throws -> Receipt {
        try Self.check(message)
        let reply = try await session.askOnce(SendMessage(conversation: conversationId, message: message))
        return Receipt(conversationId: conversationId, messageId: reply.messageId, isQueued: reply.queued)
    }

    private static func check(_ message: String) throws {
        guard !message.isEmpty else { throw CutiEError.invalidRequest }
    }

    /// Marks the messages of one conversation, or of all conversations, as read on all of the user's devices.
    public func markAllMessagesRead(conversationId: String? = nil) async throws {
        _ = try await session.ask(MarkRead(conversation: conversationId))
    }

    /// Returns the number of unread replies that arrived since the badge was last cleared.
    public func getUnreadCount() async throws -> Int {
        let reply = try await session.ask(ListConversations())
        // Until the daemon has received the unread counts from the API, the badge is `nil`; use the sum of
        // the conversations.
        let count = reply.badge ?? reply.conversations.reduce(0) { $0 + $1.unreadCount }
        session.setUnread(count)
        return count
    }

    /// The last known number of unread replies. Updated by ``messages-property`` and
    /// ``getUnreadCount()-method``.
    public var unreadCount: Int { session.unreadCount }

    /// Sets the badge to 0 on this desktop. Does not mark messages as read.
    public func clearBadgeCount() async throws {
        _ = try await session.ask(ClearBadge())
        session.setUnread(0)
    }
}
