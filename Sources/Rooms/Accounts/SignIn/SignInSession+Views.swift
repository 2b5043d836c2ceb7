package import ControlAPI
package import CutieAPI
package import OAuth

/// The state of a session, as far as it is known without asking the issuer.
extension SignInSession {
    /// As far as is known without asking.
    package var authentication: Authentication {
        if state.refusal != nil { return .unauthenticated }
        return switch record?.state {
        case .signedIn: .authenticated
        case .ended, .signedOut: .unauthenticated
        // Nobody ever signed in.
        case nil: .unauthenticated
        }
    }

    /// Who signed in; also when the issuer ended it since.
    package var claims: Claims? { record?.state == .signedOut ? nil : record?.claims }
    package var scope: Scope { Scope(authentication == .authenticated ? record?.scope ?? [] : []) }
    package var method: SignInMethod? { record?.method.flatMap(SignInMethod.init(rawValue:)) }

    package var issuerName: String { issuer.directory.issuer.description }
    /// As far as the issuer said.
    package var accountPages: IssuerMetadata.AccountPages? { issuer.directory.cached?.accountPages }

    /// Why the person has to sign in; nil where they have not.
    package var obstacle: String? {
        if let refusal = state.refusal { return refusal }
        return switch record?.state {
        case .signedIn: nil
        case .ended: record?.reason ?? SessionState.nobody
        case .signedOut, nil: SessionState.nobody
        }
    }

    /// What is written waits for the person to sign in again: they did once, and did not sign out.
    package var takesWords: Bool { record.map { $0.state != .signedOut } ?? false }

    /// When the access token ends, as far as is known.
    package var expiresAt: Timestamp? {
        state.tokens.flatMap { tokens in tokens.life.lifetime.map { tokens.life.receivedAt + $0 } }
    }

    /// It ended by itself and the person has not heard so.
    package var isToBeTold: Bool { record.map { !$0.isTold } ?? false }

    /// The issuer or the API ended it.
    package var hasEnded: Bool { state.refusal != nil || record?.state == .ended }
}
