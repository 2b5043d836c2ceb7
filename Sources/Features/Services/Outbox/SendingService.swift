package import Accounts
import CutieAPI
import Domain
import Reasons
package import Store

/// Sends the user's messages. Each message is stored in the outbox before it is sent to the API.
package struct SendingService {
    private let store: MessageStore
    private let accounts: AccountRegistry
    private var calls: OutboxCalls { OutboxCalls(store: store) }

    package init(store: MessageStore, accounts: AccountRegistry) {
        (self.store, self.accounts) = (store, accounts)
    }

    /// Creates a conversation. `idempotencyKey`: a UUID; repeated calls with the same UUID have one effect.
    package func createConversation(
        category name: String, title: String?, message: String, account: String?, idempotencyKey: String?
    ) async throws -> SendReceipt {
        let unit = try accounts.findSingleAccount(named: account)
        _ = try unit.account.requireDevice()
        let category = CutieAPI.Category(name)
        guard CutieAPI.Category.known.contains(category) else {
            let known = CutieAPI.Category.known.map(\.rawValue).joined(separator: ", ")
            throw ServiceError.invalidArgument(
                parameter: "category", reason: Reason(.valueNotListed, ["value": name, "choices": known]))
        }
        return try await calls.enqueueAndWait(idempotencyKey: idempotencyKey, on: unit) { outbox, id in
            let text = try calls.checkedMessageText(message, for: unit)
            let title = title.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
            return try outbox.enqueue(
                .conversation(category: category, title: title, message: text), in: nil, id: id)
        }
    }

    /// Sends a message. `reopens`: whether to send the message even if the conversation is resolved or
    /// closed; if `false`, throws `closed` for such a conversation. `idempotencyKey`: a UUID; repeated
    /// calls with the same UUID have one effect.
    package func send(
        _ message: String, in conversation: String, account: String?, reopens: Bool = false,
        idempotencyKey: String?
    ) async throws -> SendReceipt {
        let chosen = try accounts.findAccounts(named: account)
        // Report a missing session instead of a missing conversation: without a session, a support account
        // has no conversations.
        if chosen.allSatisfy(\.account.isStaff) { try calls.checkMessagesCanBeQueued(onAnyOf: chosen) }
        let unit = try accounts.findAccount(withConversation: conversation, named: account)
        return try await calls.enqueueAndWait(idempotencyKey: idempotencyKey, on: unit) { outbox, id in
            let text = try calls.checkedMessageText(message, for: unit)
            let conversation = Conversation.ID(conversation)
            if !reopens, let status = try outbox.finalStatus(of: conversation) {
                throw ServiceError.closed(conversation: conversation.rawValue, status: status.rawValue)
            }
            return try outbox.enqueue(.message(text), in: conversation, id: id)
        }
    }

    /// Returns the items of the outbox, and whether items were omitted or truncated. If `account` is `nil`,
    /// includes items of accounts that are no longer configured.
    package func listItems(account: String?) throws -> (items: [OutboxEntry], isTruncated: Bool) {
        let chosen = try accounts.findAccounts(named: account)
        var room = ReplySizeBudget()
        var items: [OutboxEntry] = []
        let add = { (item: OutboxEntry) -> Bool in
            let fitting = room.reserveSpace(for: item)
            items += fitting.map { [$0] } ?? []
            return fitting != nil
        }
        try store.read { transaction in
            for gone in try account == nil ? transaction.accounts.fetchAll() : []
            where accounts[gone.id] == nil {
                try transaction.outbox.forEachItem(of: gone.id) {
                    add(OutboxEntry(orphaned: $0, by: gone.name))
                }
            }
            for unit in chosen {
                let name = unit.account.name
                try transaction.outbox.forEachItem(of: unit.account.id) {
                    add(OutboxEntry($0, account: name))
                }
            }
        }
        return (items, room.isTruncated)
    }

    /// Tries to send an item again. Waits a few seconds for the result.
    package func retryItem(_ item: String) async throws -> SendReceipt {
        guard let unit = accounts[try findItem(item).account] else {
            throw ServiceError.notConfigured(reason: Reason(.accountOfItemRemoved))
        }
        try unit.outbox.retryItem(item)
        return try await calls.waitForResult(of: item, on: unit)
    }

    /// Removes an item that has not been sent. Throws if the item was sent or is being sent.
    package func cancelItem(_ id: String) async throws {
        let item = try findItem(id)
        guard let unit = accounts[item.account] else { return try accounts.discardOutboxItem(item) }
        // Delete the token before the item: without the item, the token would never be deleted.
        if item.kind == OutboxPayload.revocationKind {
            try await unit.signIn?.cancelRevocation(forItem: item.id)
        }
        guard try await unit.outbox.cancelItem(item.id, within: AccountUnit.queuedLimit) else {
            let wasSent = try store.read { try $0.outbox.findItem(item.id) } == nil
            throw ServiceError.failed(
                reason: Reason(wasSent ? .itemSent : .itemBeingSent))
        }
    }

    private func findItem(_ id: String) throws -> OutboxRecord {
        guard let item = try store.read({ try $0.outbox.findItem(id) }) else {
            throw ServiceError.notFound(what: "outbox item", id: id)
        }
        return item
    }
}
