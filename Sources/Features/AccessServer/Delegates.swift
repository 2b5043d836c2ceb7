package import AccessAPI
package import Domain

/// Executes the calls from host apps, which show the replies of their developers. An app has access only to
/// its own account. Thrown errors are those of `AccessAPI`, and are sent to the app.
@MainActor package protocol HostAppDelegate: AnyObject, Sendable {
    /// Asks the user, and returns after the user has answered. The caller does not call this method again for
    /// the same app until this call has returned.
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
    func checkFeedbackAppIsInstalled(_ call: AppInstalled, for app: AppIdentity) async throws
        -> AppInstalled.Reply
    func openFeedbackApp(_ call: AppOpen, for app: AppIdentity) async throws -> AppOpen.Reply
    func createFeedbackAppCode(_ call: AppCode, for app: AppIdentity) async throws -> AppCode.Reply
    func openForm(_ call: OpenForm, for app: AppIdentity) async throws -> OpenForm.Reply
    func initiateLink(_ call: InitiateLink, for app: AppIdentity) async throws -> InitiateLink.Reply
    func fetchLinkStatus(_ call: LinkStatus, for app: AppIdentity) async throws -> LinkStatus.Reply
    /// Returns after the user has answered, like `unlinkDevice` and `requestConsent`.
    func confirmLink(_ call: ConfirmLink, for app: AppIdentity) async throws -> ConfirmLink.Reply
    func listLinkedDevices(_ call: LinkedDevices, for app: AppIdentity) async throws -> LinkedDevices.Reply
    func unlinkDevice(_ call: UnlinkDevice, for app: AppIdentity) async throws -> UnlinkDevice.Reply
    func setConsent(_ call: SetConsent, for app: AppIdentity) async throws -> SetConsent.Reply
    func requestConsent(_ call: RequestConsent, for app: AppIdentity) async throws -> RequestConsent.Reply
    func registerPush(_ call: RegisterPush, for app: AppIdentity) async throws -> RegisterPush.Reply
    /// Sends changes until cancelled. `send` waits until the app has received the change, so that a slow app
    /// does not fill the memory of the daemon.
    func watch(
        _ call: Watch, for app: AppIdentity, send: @MainActor (Watch.Reply) async throws -> Void
    ) async throws
}

/// Executes the calls from apps that use a service of the user's institution.
@MainActor package protocol ServiceAccessDelegate: AnyObject, Sendable {
    /// Returns when a grant exists or the user has answered. An empty list means a refusal; the caller may
    /// delay the reply. The caller does not call this method again for the same app until this call has
    /// returned.
    func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply
    func revokeToken(_ call: RevokeToken, for app: AppIdentity) async throws -> RevokeToken.Reply
}
