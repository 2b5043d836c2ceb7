package import CutieAPI
package import Domain
package import EventLog
package import FeedPolicy
import Platform
import Reasons
@_spi(Accounts) package import Store

/// The accounts of the active configuration.
package final class AccountRegistry {
    package private(set) var units: [AccountUnit] = []
    /// Notified when the list of accounts changes.
    package let changes = ChangeSignal()
    private let log: LogWriter
    private var store: MessageStore { log.store }

    package init(log: LogWriter) { self.log = log }

    func replaceAccounts(with units: [AccountUnit]) {
        self.units = units
        changes.notify()
    }

    /// The most severe state of all accounts.
    package var state: AccountState {
        units.map(\.state).max { $0.severity < $1.severity } ?? .starting
    }

    package func name(of id: AccountID) -> String? { units.first { $0.account.id == id }?.account.name }

    /// Returns the display names of all accounts; the keys are the account names.
    package func fetchDisplayNames() throws -> [String: String] {
        try store.read { transaction in
            let added = Dictionary(
                try transaction.handedOverAccounts.fetchAll().map { ($0.name, $0.appName) },
                uniquingKeysWith: { first, _ in first })
            return AccountTitle.titles(
                of: try units.map { unit in
                    let account = unit.account
                    let given = (added[account.name] ?? nil).map { [$0] }
                    return AccountTitle(
                        key: account.name,
                        appNames: try given ?? transaction.conversations.fetchAppNames(of: account.id),
                        fallback: account.address.serviceName)
                })
        }
    }

    /// Returns the perspective (user or support staff) from which the account's messages are seen.
    package func perspective(of id: AccountID) -> Perspective {
        log.perspective(of: id)
    }

    package subscript(id: AccountID) -> AccountUnit? { units.first { $0.account.id == id } }

    /// Returns the named account, or all accounts if `name` is `nil`. Throws `notFound` for an unknown name.
    package func findAccounts(named name: String?) throws -> [AccountUnit] {
        guard let name else { return units }
        let found = units.filter { $0.account.name == name }
        if found.isEmpty { throw ServiceError.notFound(what: "account", id: name) }
        return found
    }

    /// Returns the accounts whose unread messages count towards the badge: the named account, or all accounts
    /// except secondary accounts of a shared inbox.
    package func findAccountsInBadge(named name: String?) throws -> [AccountUnit] {
        let inboxes = log.inboxes
        return try findAccounts(named: name).filter {
            name != nil || !inboxes.areRepliesCountedElsewhere(of: $0.account.id)
        }
    }

    /// Returns the accounts as members for `SharedInboxes`; empty for a single account, which cannot share an
    /// inbox with another account.
    package func fetchInboxMembers() throws -> [SharedInboxes.Member] {
        guard units.count > 1 else { return [] }
        return try store.read { transaction in
            try units.map { unit in
                let account = unit.account
                return SharedInboxes.Member(
                    account: account.id, name: account.name, address: account.address.description,
                    device: account.device?.id,
                    group: try AccountTransaction.readInboxID(of: account.id, in: transaction),
                    isConnected: ![.stopped, .offline].contains(unit.feed.status.state))
            }
        }
    }

    /// Returns the account for a command about an app: the named account, or the only device account if
    /// `name` is `nil`. Other accounts must be named, because they do not contain the user's own
    /// conversations. Throws if there is no such account, or more than one.
    package func findSingleAccount(named name: String?) throws -> AccountUnit {
        let found = try findAccounts(named: name).filter { name != nil || $0.account.device != nil }
        guard let only = found.first else {
            throw ServiceError.notConfigured(reason: Reason(.noAppAccount))
        }
        guard found.count == 1 else {
            throw ServiceError.invalidArgument(
                parameter: "account",
                reason: Reason(
                    .severalAccounts, ["names": found.map(\.account.name).joined(separator: ", ")]))
        }
        return only
    }

    /// Returns the account that has the conversation. Throws if several accounts have a conversation with
    /// this ID.
    package func findAccount(withConversation conversation: String, named name: String?) throws -> AccountUnit
    {
        let holders = try store.read {
            try $0.conversations.fetchAccounts(containing: Conversation.ID(conversation))
        }
        return try requireSingleAccount(
            among: holders, objectType: "conversation", objectID: conversation, named: name)
    }

    /// Returns the message with this ID and its account. Throws if several conversations have a message with
    /// this ID; the error lists these conversations.
    package func findMessage(
        _ id: String, in conversation: String?, accountName name: String?
    ) throws -> (unit: AccountUnit, record: MessageRecord) {
        let thread = conversation.map { Conversation.ID($0) }
        let found = try findAccounts(named: name).flatMap { unit in
            try store.read { try $0.messages.find(Message.ID(id), in: thread, account: unit.account.id) }
                .map { (unit: unit, record: $0) }
        }
        let inboxes = log.inboxes
        // Count copies in several accounts of a shared inbox as one message.
        let once = found.filter { copy in
            let first = inboxes.countingAccount(for: copy.unit.account.id)
            return first == copy.unit.account.id
                || !found.contains {
                    $0.unit.account.id == first
                        && $0.record.message.conversation == copy.record.message.conversation
                }
        }
        guard let only = once.first else { throw ServiceError.notFound(what: "message", id: id) }
        guard once.count == 1 else {
            throw ServiceError.ambiguous(
                id: id, accounts: once.map(\.unit.account.name).unique,
                conversations: once.map(\.record.message.conversation.rawValue).unique)
        }
        return only
    }

    /// Returns the items with these IDs that are still in the outbox, with their accounts.
    package func findOutboxItems(withIDs ids: [String]) throws -> [(unit: AccountUnit, item: OutboxRecord)] {
        try store.read { transaction in try ids.compactMap { try transaction.outbox.findItem($0) } }
            .compactMap { item in self[item.account].map { ($0, item) } }
    }

    /// Removes an outbox item of an account that is no longer configured, so that the item is not sent if the
    /// account is configured again.
    package func discardOutboxItem(_ item: OutboxRecord) throws {
        try store.write { _ = try $0.outbox.remove(item.id) }
    }

    private func requireSingleAccount(
        among holders: [AccountID], objectType: String, objectID: String, named name: String?
    ) throws -> AccountUnit {
        let inboxes = log.inboxes
        let held = try findAccounts(named: name).filter { holders.contains($0.account.id) }
        let found = held.filter { unit in
            let first = inboxes.countingAccount(for: unit.account.id)
            return first == unit.account.id || !held.contains { $0.account.id == first }
        }
        guard let only = found.first else { throw ServiceError.notFound(what: objectType, id: objectID) }
        guard found.count == 1 else {
            throw ServiceError.ambiguous(id: objectID, accounts: found.map(\.account.name))
        }
        return only
    }
}

extension APIAddress {
    /// The display name of the API: the product name for the hosted service, otherwise the host.
    fileprivate var serviceName: String {
        switch self {
        case .production: Product.title
        case .hostedSandbox: Product.title + " Sandbox"
        default: host
        }
    }
}

extension [String] {
    fileprivate var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
