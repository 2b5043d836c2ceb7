import AccessAPI
import Domain
import Varlink

extension ServiceError {
    /// The error for an app. Omits details about the user's other accounts.
    nonisolated var accessFault: any Fault {
        switch self {
        // Apps cannot name accounts, so a missing account means that the app has none.
        case .notFound("account", _), .notConfigured: NotConfigured()
        case .notFound(let what, let id): NotFound(what: what, id: id)
        case .invalidArgument(let parameter, let reason):
            InvalidArgument(parameter: parameter, reason: reason)
        case .closed(let conversation, let status): Closed(conversation: conversation, status: status)
        case .notAuthorized(let reason), .signInRequired(let reason), .insufficientScope(_, let reason):
            NotAuthorized(reason: reason)
        case .offline(let reason, _): Offline(reason: reason)
        case .notOffered(let reason): NotOffered(reason: reason)
        case .refused(let status, let code, let reason): Refused(status: status, code: code, reason: reason)
        case .notSent(_, _, let reason, _): Refused(status: 0, reason: reason)
        case .serverError(let status, let reason): ServerError(status: status, reason: reason)
        case .invalidResponse(let reason, _): ServerError(status: 200, reason: reason)
        case .presenceRequired(let reason), .accessDenied(let reason): NotAllowed(reason: reason)
        case .unanswered(let reason): NotAllowed(reason: reason, unanswered: true)
        case .failed(let reason), .codeExpired(let reason), .invalidConfiguration(let reason):
            Failed(reason: reason)
        case .ambiguous, .notStaff: Failed(reason: "internal error of the daemon; see its journal")
        }
    }
}
