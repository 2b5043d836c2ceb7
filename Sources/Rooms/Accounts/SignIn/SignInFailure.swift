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
    /// The code expired while the issuer gave no usable answer; the reason.
    case unanswered(String)

    package var sentence: String {
        switch self {
        case .denied: "the sign-in was refused on the issuer's page"
        case .expired: "the time to sign in is over; run `cutied ctl signin` again"
        case .notOffered(let sentence), .failed(let sentence): sentence
        case .unanswered(let reason):
            "the time to sign in is over, and \(reason); run `cutied ctl signin` again"
        case .refused(let error): "the issuer refuses the sign-in: \(error)"
        case .unknownPerson:
            "the issuer does not say who signed in; it has to give an ID token or answer at its userinfo endpoint"
        case .superseded: "another sign-in was begun meanwhile, or somebody signed out"
        }
    }

    /// Returns a message for the user for any error.
    package static func sentence(of error: any Error) -> String {
        (error as? SignInFailure)?.sentence ?? (error as? APIFailure)?.sentence ?? "\(error)"
    }
}
