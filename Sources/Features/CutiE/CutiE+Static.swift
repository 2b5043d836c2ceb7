/// Static versions of all members of ``shared``.
extension CutiE {
    /// ``configure(appId:apiURL:appName:bundleId:)-method`` of ``shared``.
    public static func configure(
        appId: String, apiURL: String? = nil, appName: String? = nil, bundleId: String? = nil
    ) async throws {
        try await shared.configure(appId: appId, apiURL: apiURL, appName: appName, bundleId: bundleId)
    }

    /// Whether ``shared`` can be used.
    public static var isConfigured: Bool { shared.isConfigured }

    /// Returns whether the user allows replies on this desktop.
    @discardableResult
    public static func requestPermission() async throws -> Bool { try await shared.requestPermission() }

    /// Sets your id for the user; `nil` removes it.
    public static func setUserId(_ id: String?) async throws { try await shared.setUserId(id) }

    /// Sets the user's name; `nil` removes it.
    public static func setUserName(_ name: String?) async throws { try await shared.setUserName(name) }

    /// Sets the version of the app, which is sent with each new conversation.
    public static func setAppMetadata(
        version: String?, build: String? = nil, bundleId: String? = nil
    ) async throws {
        try await shared.setAppMetadata(version: version, build: build, bundleId: bundleId)
    }

    /// Creates a conversation with you, the maker of the app.
    @discardableResult
    public static func createConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        try await shared.createConversation(category: category, message: message, title: title)
    }

    /// Returns the app's conversations without their messages, the most recently changed first.
    public static func getConversations(limit: Int? = nil) async throws -> [Conversation] {
        try await shared.getConversations(limit: limit)
    }

    /// Returns a conversation with its messages, oldest first.
    public static func getConversation(id: String) async throws -> Conversation {
        try await shared.getConversation(id: id)
    }

    /// Sends a message to a conversation.
    @discardableResult
    public static func sendMessage(conversationId: String, message: String) async throws -> Receipt {
        try await shared.sendMessage(conversationId: conversationId, message: message)
    }

    /// Marks one conversation, or all, as read on all of the user's devices.
    public static func markAllMessagesRead(conversationId: String? = nil) async throws {
        try await shared.markAllMessagesRead(conversationId: conversationId)
    }

    /// Returns the number of replies that are unread and arrived since the badge was cleared.
    public static func getUnreadCount() async throws -> Int { try await shared.getUnreadCount() }

    /// The number of unread replies, as last reported by the daemon.
    public static var unreadCount: Int { shared.unreadCount }

    /// Sets the badge to 0 on this desktop. No message is marked as read.
    public static func clearBadgeCount() async throws { try await shared.clearBadgeCount() }

    /// Shows the app's conversations, or one of them, in the cutied window.
    public static func showInbox(conversationId: String? = nil) async throws {
        try await shared.showInbox(conversationId: conversationId)
    }

    /// The replies as they arrive.
    public static var messages: Messages { shared.messages }
}
