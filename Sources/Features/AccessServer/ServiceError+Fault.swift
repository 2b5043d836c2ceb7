import AccessAPI
import Domain
import Reasons
import Varlink

extension ServiceError {
    /// The error for an app. Omits details about the user's other accounts.
    nonisolated var accessFault: any Fault {
        switch self {
        // Apps cannot name accounts, so this error means that the app has no account.
        case .notFound("account", _), .notConfigured: NotConfigured()
        case .notFound(let what, let id): NotFound(what: what, id: id)
        case .invalidArgument(let parameter, let reason):
            InvalidArgument(parameter: parameter, reason: "").withReason(reason)
        case .closed(let conversation, let status): Closed(conversation: conversation, status: status)
        case .notAuthorized(let reason), .signInRequired(let reason), .insufficientScope(_, let reason),
            .notSent(_, .notAuthorized, let reason, _, _):
            NotAuthorized(reason: "").withReason(reason)
        case .offline(let reason, _): Offline(reason: "").withReason(reason)
        case .notOffered(let reason): NotOffered(reason: "").withReason(reason)
        case .refused(let status, let code, let reason):
            Refused(status: status, code: code, reason: "").withReason(reason)
        case .notSent(_, .notFound, let reason, _, let status):
            Refused(status: status ?? 404, reason: "").withReason(reason)
        case .notSent(_, .refused, let reason, _, let status):
            Refused(status: status ?? 0, reason: "").withReason(reason)
        case .serverError(let status, let reason): ServerError(status: status, reason: "").withReason(reason)
        case .invalidResponse(let reason, _): ServerError(status: 200, reason: "").withReason(reason)
        case .presenceRequired(let reason), .accessDenied(let reason):
            NotAllowed(reason: "").withReason(reason)
        case .unanswered(let reason): NotAllowed(reason: "", unanswered: true).withReason(reason)
        case .failed(let reason), .codeExpired(let reason), .invalidConfiguration(let reason):
            Failed(reason: "").withReason(reason)
        case .ambiguous, .notStaff: Failed.internalError
        }
    }

    /// Whether `accessFault` omits the reason, which contains information that apps must not receive.
    nonisolated var isWithheldFromApps: Bool {
        switch self {
        case .ambiguous, .notStaff: true
        case .notFound, .notConfigured, .closed: false
        case .invalidArgument(_, let reason), .notAuthorized(let reason), .signInRequired(let reason),
            .insufficientScope(_, let reason), .offline(let reason, _), .notOffered(let reason),
            .refused(_, _, let reason), .notSent(_, _, let reason, _, _), .serverError(_, let reason),
            .invalidResponse(let reason, _), .presenceRequired(let reason), .accessDenied(let reason),
            .unanswered(let reason), .failed(let reason), .codeExpired(let reason),
            .invalidConfiguration(let reason):
            reason.isPrivate
        }
    }
}

extension Failed {
    /// The error for a problem that the app must not know. The daemon logs the cause.
    nonisolated static let internalError = Failed(reason: "internal error of the daemon; see its journal")
}

/// An error of the interface with a reason.
nonisolated protocol FaultWithReason: Fault {
    var reason: String { get set }
    var reasonCode: String? { get set }
    var reasonArguments: [String: String]? { get set }
}

extension FaultWithReason {
    /// Returns the error with the message, the code and the arguments of `reason`. If `reason` is private,
    /// the error contains a generic message instead.
    nonisolated func withReason(_ reason: Reason) -> Self {
        var fault = self
        guard !reason.isPrivate else {
            fault.reason = Failed.internalError.reason
            return fault
        }
        fault.reason = reason.english
        (fault.reasonCode, fault.reasonArguments) = (reason.code?.rawValue, reason.argumentFields)
        return fault
    }
}

nonisolated extension NotAllowed: FaultWithReason {}
nonisolated extension InvalidArgument: FaultWithReason {}
nonisolated extension NotAuthorized: FaultWithReason {}
nonisolated extension Offline: FaultWithReason {}
nonisolated extension NotOffered: FaultWithReason {}
nonisolated extension Refused: FaultWithReason {}
nonisolated extension ServerError: FaultWithReason {}
nonisolated extension Failed: FaultWithReason {}
nonisolated extension TooManyRequests: FaultWithReason {}
