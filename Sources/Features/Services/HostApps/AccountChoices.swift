import Accounts
import Domain

/// The accounts that apps with several accounts have chosen.
///
/// A choice applies to the process that made it, because scripts share the identity of their interpreter: the
/// message of one script must not reach the developer of another script. For all other processes, the app's
/// last choice applies, even after a restart of the daemon.
struct AccountChoices {
    /// The maximum number of processes whose choices are remembered. The number is limited, because the
    /// daemon does not detect the end of a process.
    private static let limit = 1024

    private var recent: [(process: String, account: String)] = []

    /// Returns the account of `app`; `nil` if the app owns no account.
    func findAccountName(of app: AppIdentity, among owners: [String: HostAppOwner]) -> String? {
        if let chosen = recent.last(where: { $0.process == app.process })?.account, owners[chosen] != nil {
            return chosen
        }
        return owners.max { Self.sortKey(of: $0) < Self.sortKey(of: $1) }?.key
    }

    mutating func setAccount(_ account: String, for app: AppIdentity) {
        guard let process = app.process else { return }
        recent.removeAll { $0.process == process }
        recent = recent.suffix(Self.limit - 1) + [(process, account)]
    }

    /// Returns the rank that makes `account` the latest choice; its current rank if `account` is the latest
    /// choice already.
    static func rankOfLatestChoice(for account: String, among owners: [String: HostAppOwner]) -> Int? {
        let others = owners.filter { $0.key != account }.values.map { $0.choice ?? 0 }
        let present = owners[account]?.choice
        guard let newest = others.max(), newest >= present ?? 0 else { return present }
        return newest + 1
    }

    private static func sortKey(of account: (key: String, value: HostAppOwner)) -> (Int, String) {
        (account.value.choice ?? 0, account.key)
    }
}
