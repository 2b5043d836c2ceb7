package import CutieAPI
package import Domain
package import OAuth

/// The state of a session, as far as it is known without asking the issuer.
extension SignInSession {
    /// Whether a user is signed in, without asking the issuer.
    package var authentication: AuthenticationState {
        if state.refusal != nil { return .unauthenticated }
        return switch record?.state {
        case .signedIn: .authenticated
        case .ended, .signedOut: .unauthenticated
        // No user has signed in yet.
        case nil: .unauthenticated
        }
    }

    /// The user who signed in, even if the issuer has ended the session since.
    package var claims: Claims? { record?.state == .signedOut ? nil : record?.claims }
    package var scope: Scope { Scope(authentication == .authenticated ? record?.scope ?? [] : []) }
    package var method: SignInMethod? { record?.method.flatMap(SignInMethod.init(rawValue:)) }

    package var issuerName: String { issuer.directory.issuer.description }
    /// The pages that the issuer's cached metadata names.
    package var accountPages: IssuerMetadata.AccountPages? { issuer.directory.cached?.accountPages }

    /// The reason to sign in, as a message for the user; `nil` if there is none.
    package var obstacle: String? {
        if let refusal = state.refusal { return refusal }
        return switch record?.state {
        case .signedIn: nil
        case .ended: record?.reason ?? SignInService.notSignedIn
        case .signedOut, nil: SignInService.notSignedIn
        }
    }

    /// Whether messages are queued until the user signs in again: true after a sign-in without a sign-out.
    package var canWrite: Bool { record.map { $0.state != .signedOut } ?? false }

    /// The expiry time of the access token; `nil` if unknown.
    package var expiresAt: Timestamp? {
        state.tokens.flatMap { tokens in tokens.life.lifetime.map { tokens.life.receivedAt + $0 } }
    }

    /// Whether the session ended by itself and the user has not been notified.
    package var needsReport: Bool { record.map { !$0.isTold } ?? false }

    /// Whether the issuer or the API ended the session.
    package var hasEnded: Bool { state.refusal != nil || record?.state == .ended }
}
