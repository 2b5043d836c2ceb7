import ControlAPI
import Domain
import Reasons

extension ServiceError {
    /// The error for a client of the control socket.
    nonisolated var controlFault: any ControlFault {
        switch self {
        case .notFound(let what, let id): NotFound(what: what, id: id)
        case .ambiguous(let id, let accounts, let conversations):
            Ambiguous(id: id, accounts: accounts, conversations: conversations)
        case .closed(let conversation, let status): Closed(conversation: conversation, status: status)
        case .invalidArgument(let parameter, let reason):
            InvalidArgument(parameter: parameter, reason: reason.english).withReasonFields(of: reason)
        case .notAuthorized(let reason): NotAuthorized(reason: reason.english).withReasonFields(of: reason)
        case .offline(let reason, let peer):
            Offline(reason: reason.english, peer: peer).withReasonFields(of: reason)
        case .notOffered(let reason): NotOffered(reason: reason.english).withReasonFields(of: reason)
        case .refused(let status, let code, let reason):
            Refused(status: status, code: code, reason: reason.english).withReasonFields(of: reason)
        case .serverError(let status, let reason):
            ServerError(status: status, reason: reason.english).withReasonFields(of: reason)
        case .invalidResponse(let reason, let peer):
            InvalidResponse(reason: reason.english, peer: peer).withReasonFields(of: reason)
        case .notConfigured(let reason): NotConfigured(reason: reason.english).withReasonFields(of: reason)
        case .invalidConfiguration(let reason):
            InvalidConfiguration(reason: reason.english).withReasonFields(of: reason)
        case .notSent(let item, let cause, let reason, let waiting, _):
            NotSent(outboxId: item, cause: NotSent.Cause(cause), reason: reason.english, waiting: waiting)
                .withReasonFields(of: reason)
        case .failed(let reason): Failed(reason: reason.english).withReasonFields(of: reason)
        case .signInRequired(let reason): SignInRequired(reason: reason.english).withReasonFields(of: reason)
        case .accessDenied(let reason), .unanswered(let reason):
            AccessDenied(reason: reason.english).withReasonFields(of: reason)
        case .codeExpired(let reason): CodeExpired(reason: reason.english).withReasonFields(of: reason)
        case .insufficientScope(let scope, let reason):
            InsufficientScope(scope: scope, reason: reason.english).withReasonFields(of: reason)
        case .presenceRequired(let reason):
            PresenceRequired(reason: reason.english).withReasonFields(of: reason)
        case .notStaff(let account): NotStaff(account: account)
        }
    }
}

extension NotSent.Cause {
    fileprivate nonisolated init(_ rejection: ServiceError.Rejection) {
        switch rejection {
        case .refused: self = .refused
        case .notAuthorized: self = .notAuthorized
        case .notFound: self = .notFound
        }
    }
}
