import CutieAPI
import Store

/// A cache of the account properties that never change and that every reply needs.
final class AccountIdentityCache {
    struct Identity {
        let name: String
        let appID: String
    }

    private var known: [AccountID: Identity] = [:]

    /// Returns the properties of an account; `nil` if it does not exist. Calls `read` if the account is not
    /// cached.
    func findIdentity(of account: AccountID, _ read: () throws -> AccountRecord?) rethrows -> Identity? {
        if let known = known[account] { return known }
        guard let record = try read() else { return nil }
        let lasting = Identity(name: record.name, appID: record.appID)
        known[account] = lasting
        return lasting
    }
}
