package import OAuth
package import Reasons

/// The reason why a sign-in failed.
package enum SignInFailure: Error, Equatable {
    case denied
    case expired
    case notOffered(Reason)
    case refused(OAuthError)
    /// The issuer did not identify the user.
    case unknownUser
    case superseded
    case failed(Reason)
    /// The issuer sent no usable response before the code expired. The value is the reason.
    case unanswered(Reason)

    package var reason: Reason {
        switch self {
        case .denied: Reason(.signInDenied)
        case .expired: Reason(.signInTimedOut)
        case .notOffered(let reason), .failed(let reason): reason
        case .unanswered(let reason): Reason(.signInUnanswered, because: reason)
        case .refused(let error): Reason(.signInRefusedByIssuer, because: .text("\(error)"))
        case .unknownUser: Reason(.userUnknown)
        case .superseded: Reason(.signInSuperseded)
        }
    }

    /// Returns the reason for an error of any type.
    package static func makeReason(for error: any Error) -> Reason {
        (error as? SignInFailure)?.reason ?? (error as? APIFailure)?.reason ?? Reason(describing: error)
    }
}
