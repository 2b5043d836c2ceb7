import CutieAPI
import Store

/// Which of the accounts are one inbox: those at one API whose devices are of one group, or are the same. The
/// first of them in the configuration that is not out of order tells and counts for all.
struct SharedInboxes: Equatable {
    struct Member {
        let account: AccountID
        let name: String
        let address: String
        let device: DeviceID
        /// As far as is known.
        let group: String?
        /// It is neither stopped nor offline.
        let isWell: Bool

        fileprivate func shares(_ other: Member) -> Bool {
            address == other.address && (device == other.device || group != nil && group == other.group)
        }
    }

    private var siblings: [AccountID: [AccountID]] = [:]
    private var firsts: [AccountID: AccountID] = [:]
    private var names: [AccountID: String] = [:]
    /// Of these, another account is at the same API.
    private var neighbours: Set<AccountID> = []

    /// `members`: in the order of the configuration.
    init(_ members: [Member] = []) {
        guard members.count > 1 else { return }
        var inboxes: [[Member]] = []
        for member in members {
            // One may join two that did not know of each other.
            let joined = inboxes.filter { $0.contains(where: member.shares) }
            inboxes.removeAll { $0.contains(where: member.shares) }
            inboxes.append(joined.flatMap(\.self) + [member])
            if members.count(where: { $0.address == member.address }) > 1 {
                neighbours.insert(member.account)
            }
            names[member.account] = member.name
        }
        for inbox in inboxes where inbox.count > 1 {
            let first = inbox.first(where: \.isWell) ?? inbox[0]
            for member in inbox {
                siblings[member.account] = inbox.map(\.account).filter { $0 != member.account }
                firsts[member.account] = first.account
            }
        }
    }

    /// The other accounts of its inbox.
    func siblings(of account: AccountID) -> [AccountID] { siblings[account] ?? [] }

    /// Which account tells and counts for its inbox.
    func first(of account: AccountID) -> AccountID { firsts[account] ?? account }

    /// Another account tells and counts for it.
    func isSecond(_ account: AccountID) -> Bool { first(of: account) != account }

    func hasNeighbour(_ account: AccountID) -> Bool { neighbours.contains(account) }

    func name(of account: AccountID) -> String { names[account] ?? "" }

    /// Those for which another one counts.
    var seconds: [AccountID] { firsts.keys.filter(isSecond) }
}
