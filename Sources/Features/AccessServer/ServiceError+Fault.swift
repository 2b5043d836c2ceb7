import AccessAPI
import Domain
import Reasons
import Varlink

extension ServiceError {
    /// The error for an app. Omits details about the user's other accounts.
    nonisolated var accessFault: any Fault {
        switch self {
        // Apps cannot name accounts, so a missing account means that the app has none.
        case .notFound("account", _), .notConfigured: NotConfigured()
        case .notFound(let what, let id): NotFound(what: what, id: id)
        case .invalidArgument(let parameter, let reason):
            InvalidArgument(parameter: parameter, reason: reason.english)
        case .closed(let conversation, let status): Closed(conversation: conversation, status: status)
        case .notAuthorized(let reason), .signInRequired(let reason), .insufficientScope(_, let reason):
            NotAuthorized(reason: reason.english)
        case .offline(let reason, _): Offline(reason: reason.english)
        case .notOffered(let reason): NotOffered(reason: reason.english)
        case .refused(let status, let code, let reason):
            Refused(status: status, code: code, reason: reason.english)
        case .notSent(_, _, let reason, _): Refused(status: 0, reason: reason.english)
        case .serverError(let status, let reason): ServerError(status: status, reason: reason.english)
        case .invalidResponse(let reason, _): ServerError(status: 200, reason: reason.english)
        case .presenceRequired(let reason), .accessDenied(let reason): NotAllowed(reason: reason.english)
        case .unanswered(let reason): NotAllowed(reason: reason.english, unanswered: true)
        case .failed(let reason), .codeExpired(let reason), .invalidConfiguration(let reason):
            Failed(reason: reason.english)
        case .ambiguous, .notStaff: Failed(reason: "internal error of the daemon; see its journal")
        }
    }
}
