import Accounts
import CutieAPI
import Domain
import OAuth

/// A signed-in user, with the data that identifies the user to services.
struct ServiceUser {
    let account: Account
    let signIn: SignInService
    /// The user's subject identifier at the issuer.
    let subject: String
    let clientID: String

    /// Creates the user from the session of an account; `nil` if no user is signed in, or if the account is
    /// signed in as a machine.
    init?(_ unit: AccountUnit) {
        guard let signIn = unit.signIn, signIn.session.authentication == .authenticated,
            signIn.session.method != .client, let claims = signIn.session.claims
        else { return nil }
        (account, self.signIn, subject) = (unit.account, signIn, claims.subject)
        switch unit.account.kind {
        case .staff(let client), .identity(let client): clientID = client
        case .device: return nil
        }
    }
}

extension ServiceUser {
    /// Returns whether `server` may receive the user's access token. Only the account's API and the account's
    /// issuer may receive the token, because both receive the token anyway.
    func maySendToken(to server: EndpointURL) -> Bool {
        [account.address.origin, signIn.issuerOrigin].contains(server.origin)
    }

    func makeAuthorizationHeader() async throws -> String {
        do { return try await signIn.makeAuthorizationHeader() } catch {
            if case .cancelled = error { throw CancellationError() }
            throw DiscoveryFailure.unanswered(error.reason)
        }
    }
}

extension AccountRegistry {
    var serviceUsers: [ServiceUser] { units.compactMap(ServiceUser.init(_:)) }

    func serviceUser(of account: AccountID) -> ServiceUser? { self[account].flatMap(ServiceUser.init(_:)) }
}
