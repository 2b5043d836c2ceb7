package import CutieAPI
package import Domain
package import OAuth
package import Reasons

// MARK: - State without a request to the issuer

extension SignInSession {
    /// The authentication state that is known without a request to the issuer.
    package var authentication: AuthenticationState {
        if state.refusal != nil { return .unauthenticated }
        return switch record?.state {
        case .signedIn: .authenticated
        case .ended, .signedOut: .unauthenticated
        case nil: .unauthenticated
        }
    }

    /// The claims of the last user, even if the issuer has ended the session; `nil` after a sign-out.
    package var claims: Claims? { record?.state == .signedOut ? nil : record?.claims }
    package var scope: Scope { Scope(authentication == .authenticated ? record?.scope ?? [] : []) }
    package var method: SignInMethod? { record?.method.flatMap(SignInMethod.init(rawValue:)) }

    package var issuerName: String { issuer.directory.issuer.description }
    /// The account pages in the issuer's cached metadata; `nil` if the metadata contains none.
    package var accountPages: IssuerMetadata.AccountPages? { issuer.directory.cached?.accountPages }

    /// The reason why the user must sign in; `nil` if no sign-in is required.
    package var obstacle: Reason? {
        if let refusal = state.refusal { return refusal }
        return switch record?.state {
        case .signedIn: nil
        case .ended: record?.endReason ?? SignInService.notSignedIn
        case .signedOut, nil: SignInService.notSignedIn
        }
    }

    /// Whether messages can be queued. `true` even if the session has ended and the user must sign in again;
    /// `false` after a sign-out and before the first sign-in.
    package var canWrite: Bool { record.map { $0.state != .signedOut } ?? false }

    /// The expiry time of the access token; `nil` if unknown.
    package var expiresAt: Timestamp? {
        state.tokens.flatMap { tokens in tokens.life.lifetime.map { tokens.life.receivedAt + $0 } }
    }

    /// Whether the session ended without a sign-out and the user has not been notified.
    package var needsReport: Bool { record.map { !$0.isTold } ?? false }

    /// Whether the issuer or the API ended the session.
    package var hasEnded: Bool { state.refusal != nil || record?.state == .ended }
}
