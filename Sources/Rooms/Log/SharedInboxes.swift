package import CutieAPI
import Inbox
@_spi(Log) package import Store

/// The accounts that share an inbox: accounts at the same API whose devices are equal or in the same group.
/// The first working account in the order of the configuration announces and counts replies for all.
package struct SharedInboxes: Equatable {
    package struct Member {
        let account: AccountID
        let name: String
        let address: String
        /// The device; `nil` if the account does not belong to a device.
        let device: DeviceID?
        /// The group of the device; `nil` if unknown.
        let group: String?
        /// Whether the account is neither stopped nor offline.
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
    /// Accounts at an API that has more than one account.
    private var neighbours: Set<AccountID> = []

    /// - Parameter members: in the order of the configuration.
    package init(_ members: [Member] = []) {
        guard members.count > 1 else { return }
        var inboxes: [[Member]] = []
        for member in members {
            // A new member may connect two inboxes that were separate before.
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

    /// Returns the other accounts of the same inbox.
    package func siblings(of account: AccountID) -> [AccountID] { siblings[account] ?? [] }

    /// Returns the account that announces and counts replies for the inbox.
    package func first(of account: AccountID) -> AccountID { firsts[account] ?? account }

    /// Returns whether another account announces and counts replies for this one.
    package func isSecond(_ account: AccountID) -> Bool { first(of: account) != account }

    package func hasNeighbour(_ account: AccountID) -> Bool { neighbours.contains(account) }

    func name(of account: AccountID) -> String { names[account] ?? "" }

    /// The accounts whose replies are counted and announced by another account of the same inbox.
    package var seconds: [AccountID] { firsts.keys.filter(isSecond) }
}

extension Change {
    /// Returns the shared inbox of the account's device, if known.
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

    /// Deletes the history after this device was removed from the shared inbox: the user may no longer see
    /// it. A first sync fetches the device's own conversations.
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

/// Accounts that share an inbox: a reply is announced and counted once.
extension Ingest {
    /// Returns whether the account is included in the total badge.
    package func counts(_ account: AccountID) -> Bool { !inboxes.isSecond(account) }

    /// Determines again which accounts share an inbox. Call this function when an account joined or left an
    /// inbox, or when another account is to announce replies.
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

    /// Marks a conversation as read in all other accounts of the same inbox.
    package func readAll(of conversation: Conversation.ID, besides account: AccountID) throws {
        for sibling in inboxes.siblings(of: account) where isOpen(sibling) {
            _ = try change(sibling) { try $0.read(conversation, leaving: 0) }
        }
    }
}

extension Change {
    /// Returns the ledger step of a reply that another account of the inbox announces; `nil` if this account
    /// announces it.
    func toldElsewhere(_ message: Message) throws -> (Stage, LedgerEntry.Reason?, String)? {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard let copy, copy.stage != .received else { continue }
            return (.held, .notShown, "announced by account " + inboxes.name(of: sibling))
        }
        guard inboxes.isSecond(account) else { return nil }
        return (.received, nil, "account \(inboxes.name(of: inboxes.first(of: account))) announces it")
    }

    /// Marks the copies in the other accounts of the inbox as announced by this account.
    func noteTold(_ message: Message) throws {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard copy?.stage == .received else { continue }
            try transaction.ledger.append(
                .held, reason: .notShown, detail: "announced by account " + inboxes.name(of: account),
                at: now,
                to: message.id, in: message.conversation, account: sibling, pending: false)
        }
    }

    /// Returns whether another account of the inbox has the message, so that the log contains it.
    func isLogged(_ message: Message) throws -> Bool {
        try inboxes.siblings(of: account).contains {
            try transaction.messages.hasSeen(message.id, in: message.conversation, account: $0)
        }
    }

    /// Announces the replies that the account formerly responsible for the inbox never received.
    func tellWhatNobodyTold() throws {
        for record in try transaction.conversations.all(account: account, unreadOnly: true) {
            let id = record.conversation.id
            let untold = try transaction.replies.newest(
                in: id, account: account, limit: record.unread, stage: .received)
            try transaction.ledger.append(
                .held, detail: "no other account announces it", at: now, to: untold, in: id,
                account: account, pending: true)
            for message in untold.reversed() { try log(.messageCreated, record, message: message) }
        }
    }
}
