import CutieAPI
import Store

/// What never changes of an account, read once: each reply asks for it.
final class KnownAccounts {
    struct Lasting {
        let name: String
        let appID: String
    }

    private var known: [AccountID: Lasting] = [:]

    /// nil where there is no such account. `read` is called the first time.
    func find(_ account: AccountID, _ read: () throws -> AccountRecord?) rethrows -> Lasting? {
        if let known = known[account] { return known }
        guard let record = try read() else { return nil }
        let lasting = Lasting(name: record.name, appID: record.appID)
        known[account] = lasting
        return lasting
    }
}
