import AccessAPI

extension CutiE {
    /// Begins a conversation with you, the maker.
    ///
    /// - Parameters:
    ///   - category: what it is about.
    ///   - message: the person's words, at most 1 MiB.
    ///   - title: nil: the first words.
    /// - Returns: the conversation; without an id where the API does not have it yet. What is queued goes out by itself.
    @discardableResult
    public func createConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        guard !message.isEmpty else { throw CutiEError.invalidRequest }
        let reply = try await askOnce(
            CreateConversation(category: category.rawValue, title: title, message: message))
        return Receipt(conversationId: reply.conversationId, messageId: nil, isQueued: reply.queued)
    }

    /// The app's conversations, the one that changed last first; without their messages.
    public func getConversations(limit: Int? = nil) async throws -> [Conversation] {
        let reply = try await ask(ListConversations(limit: limit))
        if let badge = reply.badge { setUnread(badge) }
        return reply.conversations.map { Conversation($0) }
    }

    /// One conversation with its messages, the oldest first.
    public func getConversation(id: String) async throws -> Conversation {
        let reply = try await ask(GetConversation(conversation: id))
        return Conversation(reply.conversation, messages: reply.messages.map { Message($0) })
    }

    /// Answers in a conversation, with at most 1 MiB.
    @discardableResult
    public func sendMessage(conversationId: String, message: String) async throws -> Receipt {
        guard !message.isEmpty else { throw CutiEError.invalidRequest }
        let reply = try await askOnce(SendMessage(conversation: conversationId, message: message))
        return Receipt(conversationId: conversationId, messageId: reply.messageId, isQueued: reply.queued)
    }

    /// Marks one conversation read, or all, wherever the person reads them.
    public func markAllMessagesRead(conversationId: String? = nil) async throws {
        _ = try await ask(MarkRead(conversation: conversationId))
    }

    /// How many answers are unread and came since the badge was cleared.
    public func getUnreadCount() async throws -> Int {
        let reply = try await ask(ListConversations())
        // The first look at the API may still be under way.
        let count = reply.badge ?? reply.conversations.reduce(0) { $0 + $1.unreadCount }
        setUnread(count)
        return count
    }

    /// Sets the badge to 0 on this desktop; nothing is marked read.
    public func clearBadgeCount() async throws {
        _ = try await ask(ClearBadge())
        setUnread(0)
    }

    /// Shows the person the app's conversations, or one of them, in the window of cutied.
    public func showInbox(conversationId: String? = nil) async throws {
        _ = try await ask(OpenInbox(conversation: conversationId))
    }

    /// The answers as they arrive, from `configure` on.
    ///
    /// A daemon that restarts is waited for, and the sequence goes on behind the last answer: nothing is missed, nothing comes
    /// twice. It has no end; it throws ``CutiEError/notConfigured`` when the person takes the app's access back. Each loop over it
    /// hears all answers.
    public var messages: Messages { Messages(cutiE: self) }
}
