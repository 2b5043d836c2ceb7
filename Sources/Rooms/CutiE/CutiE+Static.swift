/// Everything, without `shared`.
extension CutiE {
    /// ``configure(appId:apiURL:appName:bundleId:)-method`` of ``shared``.
    public static func configure(
        appId: String, apiURL: String? = nil, appName: String? = nil, bundleId: String? = nil
    ) async throws {
        try await shared.configure(appId: appId, apiURL: apiURL, appName: appName, bundleId: bundleId)
    }

    /// Whether ``shared`` may be used.
    public static var isConfigured: Bool { shared.isConfigured }

    /// Whether the person allows that answers come here.
    @discardableResult
    public static func requestPermission() async throws -> Bool { try await shared.requestPermission() }

    /// Who the person is for you; nil forgets it.
    public static func setUserId(_ id: String?) async throws { try await shared.setUserId(id) }

    /// What the person is called; nil forgets it.
    public static func setUserName(_ name: String?) async throws { try await shared.setUserName(name) }

    /// What the app is, as you are told with each new conversation.
    public static func setAppMetadata(
        version: String?, build: String? = nil, bundleId: String? = nil
    ) async throws {
        try await shared.setAppMetadata(version: version, build: build, bundleId: bundleId)
    }

    /// Begins a conversation with you, the maker.
    @discardableResult
    public static func createConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        try await shared.createConversation(category: category, message: message, title: title)
    }

    /// The app's conversations, the one that changed last first; without their messages.
    public static func getConversations(limit: Int? = nil) async throws -> [Conversation] {
        try await shared.getConversations(limit: limit)
    }

    /// One conversation with its messages, the oldest first.
    public static func getConversation(id: String) async throws -> Conversation {
        try await shared.getConversation(id: id)
    }

    /// Answers in a conversation.
    @discardableResult
    public static func sendMessage(conversationId: String, message: String) async throws -> Receipt {
        try await shared.sendMessage(conversationId: conversationId, message: message)
    }

    /// Marks one conversation read, or all, wherever the person reads them.
    public static func markAllMessagesRead(conversationId: String? = nil) async throws {
        try await shared.markAllMessagesRead(conversationId: conversationId)
    }

    /// How many answers are unread and came since the badge was cleared.
    public static func getUnreadCount() async throws -> Int { try await shared.getUnreadCount() }

    /// How many answers are unread, as far as was heard.
    public static var unreadCount: Int { shared.unreadCount }

    /// Sets the badge to 0 on this desktop; nothing is marked read.
    public static func clearBadgeCount() async throws { try await shared.clearBadgeCount() }

    /// Shows the person the app's conversations, or one of them, in the window of cutied.
    public static func showInbox(conversationId: String? = nil) async throws {
        try await shared.showInbox(conversationId: conversationId)
    }

    /// The answers as they arrive.
    public static var messages: Messages { shared.messages }
}
