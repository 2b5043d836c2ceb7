package import CutieAPI
import FeedPolicy
@_spi(EventLog) package import Store

/// The accounts that share an inbox: accounts at the same API that have the same device, or whose devices
/// belong to the same group. The first connected account in the order of the configuration announces and
/// counts replies for all of these accounts.
package struct SharedInboxes: Equatable {
    /// A configured account, with the properties that decide which inbox it shares.
    package struct Member {
        let account: AccountID
        let name: String
        let address: String
        /// The device; `nil` if the account does not belong to a device.
        let device: DeviceID?
        /// The group of the device; `nil` if unknown.
        let group: String?
        /// Whether the account is neither stopped nor offline.
        let isConnected: Bool

        package init(
            account: AccountID, name: String, address: String, device: DeviceID?, group: String?,
            isConnected: Bool
        ) {
            (self.account, self.name, self.address) = (account, name, address)
            (self.device, self.group, self.isConnected) = (device, group, isConnected)
        }

        fileprivate func sharesInbox(with otherMember: Member) -> Bool {
            guard address == otherMember.address else { return false }
            return device != nil && device == otherMember.device || group != nil && group == otherMember.group
        }
    }

    private var siblings: [AccountID: [AccountID]] = [:]
    private var countingAccounts: [AccountID: AccountID] = [:]
    private var names: [AccountID: String] = [:]
    /// The accounts whose API is also used by another configured account.
    private var accountsSharingAPI: Set<AccountID> = []

    /// - Parameter members: the accounts, in the order of the configuration.
    package init(_ members: [Member] = []) {
        guard members.count > 1 else { return }
        var inboxes: [[Member]] = []
        for member in members {
            // Merge inboxes that were separate before the new member connected them.
            let joined = inboxes.filter { $0.contains(where: member.sharesInbox) }
            inboxes.removeAll { $0.contains(where: member.sharesInbox) }
            inboxes.append(joined.flatMap(\.self) + [member])
            if members.count(where: { $0.address == member.address }) > 1 {
                accountsSharingAPI.insert(member.account)
            }
            names[member.account] = member.name
        }
        for inbox in inboxes where inbox.count > 1 {
            let first = inbox.first(where: \.isConnected) ?? inbox[0]
            for member in inbox {
                siblings[member.account] = inbox.map(\.account).filter { $0 != member.account }
                countingAccounts[member.account] = first.account
            }
        }
    }

    /// Returns the other accounts of the same inbox.
    package func siblings(of account: AccountID) -> [AccountID] { siblings[account] ?? [] }

    /// Returns the account that announces and counts replies for the inbox.
    package func countingAccount(for account: AccountID) -> AccountID { countingAccounts[account] ?? account }

    /// Returns whether another account announces and counts the replies of this account.
    package func areRepliesCountedElsewhere(of account: AccountID) -> Bool {
        countingAccounts[account, default: account] != account
    }

    /// Returns whether another configured account uses the same API.
    package func sharesAPI(_ account: AccountID) -> Bool { accountsSharingAPI.contains(account) }

    func name(of account: AccountID) -> String { names[account] ?? "" }

    /// The accounts whose replies are counted and announced by another account of the same inbox.
    package var accountsCountedElsewhere: [AccountID] {
        countingAccounts.keys.filter(areRepliesCountedElsewhere)
    }
}

extension AccountTransaction {
    /// Returns the ID of the shared inbox of the account's device; `nil` if it is unknown.
    package static func readInboxID(of account: AccountID, in transaction: Transaction) throws -> String? {
        try transaction.settings.fetchValue(of: inboxSetting(of: account))
    }

    /// Stores the ID of the shared inbox of the account's device; `nil` has no effect.
    package func recordInboxID(_ inboxID: String?) throws {
        guard let inboxID, try Self.readInboxID(of: account, in: transaction) != inboxID else { return }
        try Self.saveInboxID(inboxID, of: account, in: transaction)
        didChangeInbox = true
    }

    static func saveInboxID(_ inboxID: String?, of account: AccountID, in transaction: Transaction) throws {
        try transaction.settings.setValue(of: inboxSetting(of: account), to: inboxID)
    }

    /// Deletes the history after this device was removed from the shared inbox, because the user is no longer
    /// allowed to see the history. A first sync fetches the device's own conversations.
    package func deleteHistoryAfterRemovalFromInbox() throws {
        try transaction.accounts.resetHistory(of: account)
        try Self.saveInboxID(nil, of: account, in: transaction)
        didChangeInbox = true
        badge = Badge()
        hasRead = true
        try log(.badge)
    }

    private static func inboxSetting(of account: AccountID) -> StoredSetting<String> {
        StoredSetting("inbox", of: account)
    }
}

/// Shared inboxes: each reply is announced and counted only once.
extension Ingest {
    /// Returns whether the account is included in the total badge.
    package func countsTowardBadge(_ account: AccountID) -> Bool {
        !inboxes.areRepliesCountedElsewhere(of: account)
    }

    /// Recomputes which accounts share an inbox. Call this function when an account has joined or left an
    /// inbox, or when another account must take over announcing replies. The account that takes over then
    /// announces the replies that no account has announced.
    package func updateSharedInboxes() throws {
        let (before, sum) = (inboxes, badge)
        writer.inboxes = SharedInboxes(try members())
        guard inboxes != before else { return }
        let freed = before.accountsCountedElsewhere.filter { isOpen($0) && countsTowardBadge($0) }
        for account in freed { try performChange(on: account) { try $0.announceMissedReplies() } }
        if badge != sum { try log(.badge) { _ in } }
        readSignal.notify()
        stateSignal.notify()
        if !freed.isEmpty { writer.releaseSignal.notify() }
    }

    /// Marks a conversation as read in all other accounts of the same inbox.
    package func markReadInSiblingAccounts(_ conversation: Conversation.ID, of account: AccountID) throws {
        for sibling in inboxes.siblings(of: account) where isOpen(sibling) {
            _ = try performChange(on: sibling) { try $0.markRead(conversation, exceptNewest: 0) }
        }
    }
}

extension AccountTransaction {
    /// Announces the unread replies that no account of the inbox has announced. Called when this account
    /// starts to announce replies for the inbox.
    func announceMissedReplies() throws {
        for record in try transaction.conversations.fetchAll(account: account, unreadOnly: true) {
            let id = record.conversation.id
            let unannounced = try transaction.replies.fetchReplies(
                in: id, account: account, amongNewest: record.unread, stage: .received)
            try transaction.ledger.append(
                .held, detail: "no other account announces it", at: now, to: unannounced, in: id,
                account: account, isPendingAfterwards: true)
            for message in unannounced.reversed() { try log(.messageCreated, for: record, message: message) }
        }
    }
}
