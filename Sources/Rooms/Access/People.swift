import Accounts
import ControlAPI
import CutieAPI
import OAuth

/// A person who signed in, as services are told of them.
struct Person {
    let account: Account
    let signIn: SignInService
    /// As the issuer calls them.
    let subject: String
    let clientID: String

    /// nil where nobody is signed in, or a machine.
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

extension Accounts {
    /// Who could vouch for the person of this desktop.
    var people: [Person] { units.compactMap(Person.init(_:)) }

    func person(of account: AccountID) -> Person? { self[account].flatMap(Person.init(_:)) }
}
