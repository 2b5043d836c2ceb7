public import Reasons

/// An error that the daemon's services, such as `LinkingService`, report to the user or to the client
/// that sent the call. Each Varlink server maps these errors to errors of its interface.
public enum ServiceError: Error, Hashable, Sendable {
    /// A referenced object does not exist, for example a conversation, a message, an account or a question.
    case notFound(what: String, id: String)
    /// The ID matches more than one account, or a message ID occurs in more than one conversation.
    case ambiguous(id: String, accounts: [String], conversations: [String]? = nil)
    /// The conversation is resolved or closed, and does not accept messages.
    case closed(conversation: String, status: String)
    case invalidArgument(parameter: String, reason: Reason)
    /// The API rejected the credentials of the device.
    case notAuthorized(reason: Reason)
    /// A server is unreachable, and the call is not queued. `peer`: `issuer` or `service`; `nil` if the
    /// server is the API.
    case offline(reason: Reason, peer: String? = nil)
    /// The API does not support this function, either in general or for this device.
    case notOffered(reason: Reason)
    /// The API rejected the request. `status`: the HTTP status; 200 if only the body reports the rejection.
    /// `code`: the API's error code; `nil` if the API sent none.
    case refused(status: Int, code: String? = nil, reason: Reason)
    /// The API returned an error. `status`: the HTTP status.
    case serverError(status: Int, reason: Reason)
    /// A server's response cannot be decoded. `peer`: as in `offline`.
    case invalidResponse(reason: Reason, peer: String? = nil)
    /// A required setting is missing.
    case notConfigured(reason: Reason)
    /// The configuration was rejected; the previous configuration stays in effect.
    case invalidConfiguration(reason: Reason)
    /// The API rejected a message, which stays in the outbox. `waiting`: whether the message is sent
    /// automatically when the API accepts the account again. `status`: the HTTP status; `nil` if unknown.
    case notSent(outboxId: String, cause: Rejection, reason: Reason, waiting: Bool? = nil, status: Int? = nil)
    /// The operation failed, for example because the disk is full.
    case failed(reason: Reason)
    /// No user is signed in.
    case signInRequired(reason: Reason)
    /// The user or the issuer denied the request.
    case accessDenied(reason: Reason)
    /// The user did not answer a question in time.
    case unanswered(reason: Reason)
    /// The sign-in was not completed in time.
    case codeExpired(reason: Reason)
    /// The session lacks a permission. `scope`: the missing scope; `nil` if the API does not report it.
    case insufficientScope(scope: String? = nil, reason: Reason)
    /// The user must confirm their presence at this desktop.
    case presenceRequired(reason: Reason)
    /// The call requires a support account.
    case notStaff(account: String)

    /// The reasons for the rejection of a message.
    public enum Rejection: Sendable {
        /// The API rejected the message.
        case refused
        /// The API rejected the credentials of the device or the user.
        case notAuthorized
        /// The conversation does not exist.
        case notFound
    }
}
