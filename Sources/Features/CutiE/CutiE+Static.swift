/// Static versions of the members of ``shared``, except for those of rare use.
extension CutiE {
    /// ``configure(appId:apiURL:useAppAttest:deviceContext:)-method`` of ``shared``.
    public static func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", useAppAttest: Bool = false,
        deviceContext: DeviceContextConfig = .none
    ) {
        shared.configure(
            appId: appId, apiURL: apiURL, useAppAttest: useAppAttest, deviceContext: deviceContext)
    }

    /// ``configure(appId:apiURL:appName:bundleId:useAppAttest:deviceContext:)-method`` of ``shared``.
    public static func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", appName: String, bundleId: String? = nil,
        useAppAttest: Bool = false, deviceContext: DeviceContextConfig = .none
    ) {
        shared.configure(
            appId: appId, apiURL: apiURL, appName: appName, bundleId: bundleId, useAppAttest: useAppAttest,
            deviceContext: deviceContext)
    }

    /// Waits until the user has answered the question of `configure`.
    public static func ready() async throws { try await shared.ready() }

    /// Whether ``shared`` can be used.
    public static var isConfigured: Bool { shared.isConfigured }

    /// Returns whether the user allows replies on this desktop.
    @discardableResult
    public static func requestPermission() async throws -> Bool { try await shared.requestPermission() }

    /// Sets your id for the user; `nil` removes it.
    public static func setUserId(_ userId: String?) { shared.setUserId(userId) }

    /// Sets the user's name; `nil` removes it.
    public static func setUserName(_ userName: String?) { shared.setUserName(userName) }

    /// Sets the version of the app, which is sent with each new conversation.
    public static func setAppMetadata(version: String, build: String) {
        shared.setAppMetadata(version: version, build: build)
    }

    /// Creates a conversation with you, the maker of the app.
    public static func createConversation(
        category: ConversationCategory, message: String, title: String? = nil,
        completion: @escaping (Result<String, CutiEError>) -> Void
    ) {
        shared.createConversation(category: category, message: message, title: title, completion: completion)
    }

    /// Creates a conversation with you, the maker of the app, without waiting for the network.
    @discardableResult
    public static func submitConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        try await shared.submitConversation(category: category, message: message, title: title)
    }

    /// Returns the app's conversations without their messages, the most recently changed first.
    public static func getConversations() async throws -> [Conversation] {
        try await shared.getConversations()
    }

    /// Returns a conversation with its messages, oldest first.
    public static func getConversation(id: String) async throws -> Conversation {
        try await shared.getConversation(id: id)
    }

    /// Sends a message to a conversation, and waits until the API has received it.
    public static func sendMessage(conversationId: String, message: String) async throws -> Message {
        try await shared.sendMessage(conversationId: conversationId, message: message)
    }

    /// Sends a message to a conversation, without waiting for the network.
    @discardableResult
    public static func submitMessage(conversationId: String, message: String) async throws -> Receipt {
        try await shared.submitMessage(conversationId: conversationId, message: message)
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

    /// Shows the app's conversations, or one of them, in the window of cutied.
    public static func showInbox(conversationId: String? = nil) {
        shared.showInbox(conversationId: conversationId)
    }

    /// The replies as they arrive.
    public static var messages: Messages { shared.messages }

    /// The conversations that the user opens.
    public static func openings(handlingOpening: Bool = false) -> Openings {
        shared.openings(handlingOpening: handlingOpening)
    }
}
