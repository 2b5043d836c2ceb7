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
        case .notAuthorized(let reason), .signInRequired(let reason), .insufficientScope(_, let reason):
            NotAuthorized(reason: "").withReason(reason)
        case .offline(let reason, _): Offline(reason: "").withReason(reason)
        case .notOffered(let reason): NotOffered(reason: "").withReason(reason)
        case .refused(let status, let code, let reason):
            Refused(status: status, code: code, reason: "").withReason(reason)
        case .notSent(_, _, let reason, _): Refused(status: 0, reason: "").withReason(reason)
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
}

extension Failed {
    /// The error for a problem that the app must not know. The daemon logs the cause.
    nonisolated static let internalError = Failed(reason: "internal error of the daemon; see its journal")
}

extension Fault {
    /// Whether the error contains a generic reason in place of a reason that the app must not know.
    nonisolated var isReasonWithheld: Bool { (self as? any HasReason)?.reason == Failed.internalError.reason }
}

/// An error of the interface with a reason.
private nonisolated protocol HasReason: Fault {
    var reason: String { get set }
    var reasonCode: String? { get set }
    var reasonArguments: [String: String]? { get set }
}

extension HasReason {
    /// Returns the error with the message, the code and the arguments of `reason`. A private reason is
    /// replaced.
    nonisolated fileprivate func withReason(_ reason: Reason) -> Self {
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

nonisolated extension NotAllowed: HasReason {}
nonisolated extension InvalidArgument: HasReason {}
nonisolated extension NotAuthorized: HasReason {}
nonisolated extension Offline: HasReason {}
nonisolated extension NotOffered: HasReason {}
nonisolated extension Refused: HasReason {}
nonisolated extension ServerError: HasReason {}
nonisolated extension Failed: HasReason {}

extension Reason {
    /// Whether the reason, or one of its arguments, contains names of accounts, services or files that the
    /// app must not know.
    fileprivate nonisolated var isPrivate: Bool {
        guard case .coded(let code, let arguments) = self else { return false }
        return switch code {
        case .severalAccounts, .severalSignIns, .nameInSeveralAccounts, .accountNotFound, .accountRemoved,
            .lossOfSignIn, .lossOfReplies, .lossOfHistory, .lossOfShortHistory, .lossOfToken, .lossOfTokens,
            .lossOfAppTokens, .severalServices, .caFileUnreadable:
            true
        default: arguments.values.contains(where: \.isPrivate)
        }
    }
}
