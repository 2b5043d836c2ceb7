package import OAuth

/// The reason why a sign-in failed.
package enum SignInFailure: Error, Equatable {
    case denied
    case expired
    case notOffered(String)
    case refused(OAuthError)
    /// The issuer does not identify the user.
    case unknownPerson
    case superseded
    case failed(String)
    /// The code expired while the issuer sent no usable response, for the given reason.
    case unanswered(String)

    package var sentence: String {
        switch self {
        case .denied: "the sign-in was refused on the issuer's page"
        case .expired: "the sign-in timed out; run `cutied ctl signin` again"
        case .notOffered(let sentence), .failed(let sentence): sentence
        case .unanswered(let reason):
            "the sign-in timed out (\(reason)); run `cutied ctl signin` again"
        case .refused(let error): "the issuer refuses the sign-in: \(error)"
        case .unknownPerson:
            "the issuer does not identify the user; it must send an ID token or support the userinfo endpoint"
        case .superseded: "another sign-in was started, or the account was signed out"
        }
    }

    /// Returns the message for the user about any error.
    package static func sentence(of error: any Error) -> String {
        (error as? SignInFailure)?.sentence ?? (error as? APIFailure)?.sentence ?? "\(error)"
    }
}
