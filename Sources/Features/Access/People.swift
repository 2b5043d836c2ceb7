import Accounts
import CutieAPI
import Domain
import OAuth

/// A signed-in user, with the data that identifies the user to services.
struct Person {
    let account: Account
    let signIn: SignInService
    /// The user's subject identifier at the issuer.
    let subject: String
    let clientID: String

    /// `nil` if no user is signed in, or the account is signed in as a machine.
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

extension Person {
    /// Returns whether `server` may receive the user's access token. Only the account's API and the account's
    /// issuer may receive the token, because both receive the token anyway.
    func trusts(_ server: EndpointURL) -> Bool {
        [account.address.origin, signIn.issuerOrigin].contains(server.origin)
    }

    /// Returns the value of the `Authorization` header.
    func authorizationHeader() async throws -> String {
        do { return try await signIn.makeAuthorizationHeader() } catch {
            if case .cancelled = error { throw CancellationError() }
            throw DiscoveryFailure.unanswered(error.reason)
        }
    }
}

extension AccountRegistry {
    /// The signed-in users on this computer.
    var people: [Person] { units.compactMap(Person.init(_:)) }

    func person(of account: AccountID) -> Person? { self[account].flatMap(Person.init(_:)) }
}
