package import CutieAPI
import Inbox
@_spi(Log) package import Store

/// Which of the accounts are one inbox: those at one API whose devices are of one group, or are the same. The
/// first of them in the configuration that is not out of order tells and counts for all.
package struct SharedInboxes: Equatable {
    package struct Member {
        let account: AccountID
        let name: String
        let address: String
        /// nil: it is not of a device.
        let device: DeviceID?
        /// As far as is known.
        let group: String?
        /// It is neither stopped nor offline.
        let isWell: Bool

        package init(
            account: AccountID, name: String, address: String, device: DeviceID?, group: String?, isWell: Bool
        ) {
            (self.account, self.name, self.address) = (account, name, address)
            (self.device, self.group, self.isWell) = (device, group, isWell)
        }

        fileprivate func shares(_ other: Member) -> Bool {
            guard address == other.address else { return false }
            return device != nil && device == other.device || group != nil && group == other.group
        }
    }

    private var siblings: [AccountID: [AccountID]] = [:]
    private var firsts: [AccountID: AccountID] = [:]
    private var names: [AccountID: String] = [:]
    /// Of these, another account is at the same API.
    private var neighbours: Set<AccountID> = []

    /// `members`: in the order of the configuration.
    package init(_ members: [Member] = []) {
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
    package func siblings(of account: AccountID) -> [AccountID] { siblings[account] ?? [] }

    /// Which account tells and counts for its inbox.
    package func first(of account: AccountID) -> AccountID { firsts[account] ?? account }

    /// Another account tells and counts for it.
    package func isSecond(_ account: AccountID) -> Bool { first(of: account) != account }

    package func hasNeighbour(_ account: AccountID) -> Bool { neighbours.contains(account) }

    func name(of account: AccountID) -> String { names[account] ?? "" }

    /// Those for which another one counts.
    package var seconds: [AccountID] { firsts.keys.filter(isSecond) }
}

extension Change {
    /// The shared inbox that this device is in, as far as it knows.
    package static func inbox(of account: AccountID, in transaction: Transaction) throws -> String? {
        try transaction.settings.value(of: setting(account))
    }

    package func joinInbox(_ group: String?) throws {
        guard let group, try Self.inbox(of: account, in: transaction) != group else { return }
        try Self.note(inbox: group, of: account, in: transaction)
        hasRegrouped = true
    }

    static func note(inbox group: String?, of account: AccountID, in transaction: Transaction) throws {
        try transaction.settings.set(setting(account), to: group)
    }

    /// This device was taken out of the shared inbox: what it had of that is not the person's here any more.
    /// A first sync finds what the device has now.
    package func leaveInbox() throws {
        try transaction.accounts.reset(account)
        try Self.note(inbox: nil, of: account, in: transaction)
        hasRegrouped = true
        badge = Badge()
        hasRead = true
        try log(.badge)
    }

    private static func setting(_ account: AccountID) -> Setting<String> { Setting("inbox", of: account) }
}

/// Accounts that are one inbox: a reply is told and counted once.
extension Ingest {
    /// What the sum of the badges is made of.
    package func counts(_ account: AccountID) -> Bool { !inboxes.isSecond(account) }

    /// Finds out anew which accounts are one inbox; to be called where one of them joined or left, or another is
    /// to tell for it.
    package func regroup() throws {
        let (before, sum) = (inboxes, badge)
        inboxes = SharedInboxes(try members())
        guard inboxes != before else { return }
        let freed = before.seconds.filter { isOpen($0) && counts($0) }
        for account in freed { try change(account) { try $0.tellWhatNobodyTold() } }
        if badge != sum { try log(.badge) { _ in } }
        reads.notify()
        states.notify()
        if !freed.isEmpty { onFreed() }
    }

    /// What was read of one account was read of the others that are the same inbox.
    package func readAll(of conversation: Conversation.ID, besides account: AccountID) throws {
        for sibling in inboxes.siblings(of: account) where isOpen(sibling) {
            _ = try change(sibling) { try $0.read(conversation, leaving: 0) }
        }
    }
}

extension Change {
    /// Of a reply that several accounts take which are one inbox, one tells; nil: this one.
    func toldElsewhere(_ message: Message) throws -> (Stage, LedgerEntry.Reason?, String)? {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard let copy, copy.stage != .received else { continue }
            return (.held, .notShown, "told by account " + inboxes.name(of: sibling))
        }
        guard inboxes.isSecond(account) else { return nil }
        return (.received, nil, "account \(inboxes.name(of: inboxes.first(of: account))) tells of it")
    }

    /// The copies that the others have need not be told any more.
    func noteTold(_ message: Message) throws {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard copy?.stage == .received else { continue }
            try transaction.ledger.append(
                .held, reason: .notShown, detail: "told by account " + inboxes.name(of: account), at: now,
                to: message.id, in: message.conversation, account: sibling, pending: false)
        }
    }

    /// Another account of the inbox has it: the log has told of it.
    func isLogged(_ message: Message) throws -> Bool {
        try inboxes.siblings(of: account).contains {
            try transaction.messages.hasSeen(message.id, in: message.conversation, account: $0)
        }
    }

    /// The account that told for this one does so no more: what it never took is news now.
    func tellWhatNobodyTold() throws {
        for record in try transaction.conversations.all(account: account, unreadOnly: true) {
            let id = record.conversation.id
            let untold = try transaction.replies.newest(
                in: id, account: account, limit: record.unread, stage: .received)
            try transaction.ledger.append(
                .held, detail: "no other account tells of it", at: now, to: untold, in: id,
                account: account, pending: true)
            for message in untold.reversed() { try log(.messageCreated, record, message: message) }
        }
    }
}
