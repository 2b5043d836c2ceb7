import AccessAPI

extension CutiE {
    /// Creates a conversation with you, the maker of the app.
    ///
    /// - Parameters:
    ///   - category: the topic.
    ///   - message: the user's text, at most 1 MiB.
    ///   - title: `nil` uses the first words of the message.
    /// - Returns: the ids; none if the API cannot be reached yet. A queued conversation is sent
    ///   automatically.
    @discardableResult
    public func createConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        guard !message.isEmpty else { throw CutiEError.invalidRequest }
        let reply = try await askOnce(
            CreateConversation(category: category.rawValue, title: title, message: message))
        return Receipt(conversationId: reply.conversationId, messageId: nil, isQueued: reply.queued)
    }

    /// Returns the app's conversations without their messages, the most recently changed first.
    public func getConversations(limit: Int? = nil) async throws -> [Conversation] {
        let reply = try await ask(ListConversations(limit: limit))
        if let badge = reply.badge { setUnread(badge) }
        return reply.conversations.map { Conversation($0) }
    }

    /// Returns a conversation with its messages, oldest first.
    public func getConversation(id: String) async throws -> Conversation {
        let reply = try await ask(GetConversation(conversation: id))
        return Conversation(reply.conversation, messages: reply.messages.map { Message($0) })
    }

    /// Sends a message of at most 1 MiB to a conversation.
    @discardableResult
    public func sendMessage(conversationId: String, message: String) async throws -> Receipt {
        guard !message.isEmpty else { throw CutiEError.invalidRequest }
        let reply = try await askOnce(SendMessage(conversation: conversationId, message: message))
        return Receipt(conversationId: conversationId, messageId: reply.messageId, isQueued: reply.queued)
    }

    /// Marks one conversation, or all, as read on all of the user's devices.
    public func markAllMessagesRead(conversationId: String? = nil) async throws {
        _ = try await ask(MarkRead(conversation: conversationId))
    }

    /// Returns the number of replies that are unread and arrived since the badge was cleared.
    public func getUnreadCount() async throws -> Int {
        let reply = try await ask(ListConversations())
        // The daemon may not have polled the API yet.
        let count = reply.badge ?? reply.conversations.reduce(0) { $0 + $1.unreadCount }
        setUnread(count)
        return count
    }

    /// Sets the badge to 0 on this desktop. No message is marked as read.
    public func clearBadgeCount() async throws {
        _ = try await ask(ClearBadge())
        setUnread(0)
    }

    /// Shows the app's conversations, or one of them, in the cutied window.
    public func showInbox(conversationId: String? = nil) async throws {
        _ = try await ask(OpenInbox(conversation: conversationId))
    }

    /// The replies as they arrive, starting with `configure`.
    ///
    /// After a restart of the daemon, the sequence continues after the last reply: none is missed or
    /// repeated. It does not end; it throws ``CutiEError/notConfigured`` if the user revokes the app's
    /// access. Each loop over it receives all replies.
    public var messages: Messages { Messages(cutiE: self) }
}
