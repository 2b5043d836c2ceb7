package import AccessAPI

/// What apps that show the answers of their makers may do: each with the account that it owns, and with no other.
/// What is thrown is an error of `AccessAPI`, and the answer.
@MainActor package protocol HostAppDelegate: AnyObject, Sendable {
    /// Returns when the person has answered. The same app does not ask a second time meanwhile.
    func configure(_ call: Configure, for app: AppIdentity) async throws -> Configure.Reply
    func setAppMetadata(_ call: SetAppMetadata, for app: AppIdentity) async throws -> SetAppMetadata.Reply
    func createConversation(
        _ call: CreateConversation, for app: AppIdentity
    ) async throws -> CreateConversation.Reply
    func listConversations(
        _ call: ListConversations, for app: AppIdentity
    ) async throws -> ListConversations.Reply
    func getConversation(
        _ call: GetConversation, for app: AppIdentity
    ) async throws -> GetConversation.Reply
    func sendMessage(_ call: SendMessage, for app: AppIdentity) async throws -> SendMessage.Reply
    func markRead(_ call: MarkRead, for app: AppIdentity) async throws -> MarkRead.Reply
    func clearBadge(_ call: ClearBadge, for app: AppIdentity) async throws -> ClearBadge.Reply
    func setUser(_ call: SetUser, for app: AppIdentity) async throws -> SetUser.Reply
    func openInbox(_ call: OpenInbox, for app: AppIdentity) async throws -> OpenInbox.Reply
    func appInstalled(_ call: AppInstalled, for app: AppIdentity) async throws -> AppInstalled.Reply
    func appOpen(_ call: AppOpen, for app: AppIdentity) async throws -> AppOpen.Reply
    func appCode(_ call: AppCode, for app: AppIdentity) async throws -> AppCode.Reply
    /// Until it is cancelled: `send` waits for the app, so a slow one only falls behind.
    func watch(
        _ call: Watch, for app: AppIdentity, send: @MainActor (Watch.Reply) async throws -> Void
    ) async throws
}

/// What apps may do that need a service of the person's institution.
@MainActor package protocol ServiceAccessDelegate: AnyObject, Sendable {
    /// Returns when the person has answered, or a grant holds. An empty list is a no: when it is sent is not the
    /// delegate's business. The same app does not ask a second time meanwhile.
    func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply
    func revokeToken(_ call: RevokeToken, for app: AppIdentity) async throws -> RevokeToken.Reply
}
