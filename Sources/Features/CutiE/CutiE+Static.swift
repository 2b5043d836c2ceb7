// MARK: - Static versions of the commonly used members of `shared`

extension CutiE {
    /// Configures ``shared`` like ``configure(appId:apiURL:useAppAttest:deviceContext:)-method``.
    public static func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", useAppAttest: Bool = false,
        deviceContext: DeviceContextConfig = .none
    ) {
        shared.configure(
            appId: appId, apiURL: apiURL, useAppAttest: useAppAttest, deviceContext: deviceContext)
    }

    /// Configures ``shared`` like
    /// ``configure(appId:apiURL:appName:bundleId:useAppAttest:deviceContext:)-method``.
    public static func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", appName: String, bundleId: String? = nil,
        useAppAttest: Bool = false, deviceContext: DeviceContextConfig = .none
    ) {
        shared.configure(
            appId: appId, apiURL: apiURL, appName: appName, bundleId: bundleId, useAppAttest: useAppAttest,
            deviceContext: deviceContext)
    }

    /// Waits until the user has answered the question of `configure`. Throws if the user refuses or does not
    /// answer.
    public static func ready() async throws { try await shared.ready() }

    /// Whether ``shared`` is configured and the user has not refused or revoked access.
    public static var isConfigured: Bool { shared.isConfigured }

    /// Requests permission to show replies on this desktop, and returns whether the user allows them. The
    /// user is asked again only if the user did not answer, or refused at least a day ago.
    @discardableResult
    public static func requestPermission() async throws -> Bool { try await shared.requestPermission() }

    /// Sets your ID for the user; `nil` removes it.
    public static func setUserId(_ userId: String?) { shared.setUserId(userId) }

    /// Sets the user's name; `nil` removes it.
    public static func setUserName(_ userName: String?) { shared.setUserName(userName) }

    /// Sets the version of the app, which is sent with each new conversation.
    public static func setAppMetadata(version: String, build: String) {
        shared.setAppMetadata(version: version, build: build)
    }

    /// Creates a conversation with you, the developer of the app.
    public static func createConversation(
        category: ConversationCategory, message: String, title: String? = nil,
        completion: @escaping (Result<String, CutiEError>) -> Void
    ) {
        shared.createConversation(category: category, message: message, title: title, completion: completion)
    }

    /// Creates a conversation with you, the developer of the app, without waiting for the network.
    @discardableResult
    public static func submitConversation(
        category: ConversationCategory, message: String, title: String? = nil
    ) async throws -> Receipt {
        try await shared.submitConversation(category: category, message: message, title: title)
    }

    /// Returns the app's conversations without their messages, most recent change first.
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

    /// Marks the messages of one conversation, or of all conversations, as read on all of the user's devices.
    public static func markAllMessagesRead(conversationId: String? = nil) async throws {
        try await shared.markAllMessagesRead(conversationId: conversationId)
    }

    /// Returns the number of unread replies that arrived since the badge was last cleared.
    public static func getUnreadCount() async throws -> Int { try await shared.getUnreadCount() }

    /// The last known number of unread replies.
    public static var unreadCount: Int { shared.unreadCount }

    /// Sets the badge to 0 on this desktop. Does not mark messages as read.
    public static func clearBadgeCount() async throws { try await shared.clearBadgeCount() }

    /// Shows a conversation of the app, or all its conversations, in the window of cutied.
    public static func showInbox(conversationId: String? = nil) {
        shared.showInbox(conversationId: conversationId)
    }

    /// The replies to the user, as they arrive.
    public static var messages: Messages { shared.messages }

    /// The conversations that the user opens.
    public static func openings(handlingOpening: Bool = false) -> Openings {
        shared.openings(handlingOpening: handlingOpening)
    }
}
