import Accounts
import ControlAPI
import CutieAPI
import FoundationEssentials
import Store
import VarlinkSocket

/// The handlers for the user's messages. They are stored in the outbox first, and sent to the API from there.
struct SendingMethods: ControlMethods {
    let store: MessageStore
    let accounts: AccountRegistry
    private var calls: OutboxCalls { OutboxCalls(store: store) }

    var implementation: Implementation {
        Implementation().on(createConversation).on(sendMessage).on(listOutbox).on(retryOutbox).on(
            cancelOutbox)
    }

    func createConversation(_ call: CreateConversation) async throws -> CreateConversation.Reply {
        let unit = try accounts.single(call.account)
        _ = try unit.account.requireDevice()
        let category = CutieAPI.Category(call.category)
        guard CutieAPI.Category.known.contains(category) else {
            let known = CutieAPI.Category.known.map(\.rawValue).joined(separator: ", ")
            throw InvalidArgument(parameter: "category", reason: "\(call.category) is not one of \(known)")
        }
        let id = try calls.enqueue(as: call.idempotencyKey, to: unit) { outbox, id in
            let text = try calls.messageText(call.message, to: unit)
            return try outbox.enqueue(
                .conversation(
                    category: category,
                    title: call.title.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 },
                    message: text), in: nil, id: id)
        }
        let (conversation, _, queued) = try await calls.result(of: id, from: unit)
        return .init(conversationId: conversation?.rawValue, queued: queued, outboxId: queued ? id : nil)
    }

    func sendMessage(_ call: SendMessage) async throws -> SendMessage.Reply {
        let chosen = try accounts.matching(call.account)
        // Without a session, a staff account has no conversations, so the missing session is reported.
        if chosen.allSatisfy(\.account.isStaff) { try calls.requireSession(ofOneOf: chosen) }
        let unit = try accounts.holding(call.conversation, named: call.account)
        let id = try calls.enqueue(as: call.idempotencyKey, to: unit) { outbox, id in
            let (text, conversation) = (
                try calls.messageText(call.message, to: unit), Conversation.ID(call.conversation)
            )
            if call.reopen != true, let status = try outbox.ending(of: conversation) {
                throw Closed(conversation: call.conversation, status: status.rawValue)
            }
            return try outbox.enqueue(.message(text), in: conversation, id: id)
        }
        let (_, message, queued) = try await calls.result(of: id, from: unit)
        return .init(messageId: message?.rawValue, queued: queued, outboxId: queued ? id : nil)
    }

    func listOutbox(_ call: ListOutbox) throws -> ListOutbox.Reply {
        let chosen = try accounts.matching(call.account)
        var budget = ReplySizeBudget()
        var items = call.account == nil ? try orphanedItems(in: &budget) : []
        for unit in chosen {
            try store.read { transaction in
                try transaction.outbox.read(of: unit.account.id) { record in
                    let item = budget.fit(OutboxItem(record, account: unit.account.name))
                    items += item.map { [$0] } ?? []
                    return item != nil
                }
            }
        }
        return ListOutbox.Reply(items: items, cut: budget.isCut ? true : nil)
    }

    /// Returns the items of accounts that are no longer configured, under their former names.
    private func orphanedItems(in budget: inout ReplySizeBudget) throws -> [OutboxItem] {
        try store.read { transaction in
            var items: [OutboxItem] = []
            for account in try transaction.accounts.all() where accounts[account.id] == nil {
                try transaction.outbox.read(of: account.id) { record in
                    let item = budget.fit(OutboxItem(orphaned: record, by: account.name))
                    items += item.map { [$0] } ?? []
                    return item != nil
                }
            }
            return items
        }
    }

    func retryOutbox(_ call: RetryOutbox) async throws -> RetryOutbox.Reply {
        let (unit, id) = (try unit(of: call.outboxId), call.outboxId)
        try unit.outbox.retry(id)
        let (conversation, message, queued) = try await calls.result(of: id, from: unit)
        return .init(
            conversationId: conversation?.rawValue, messageId: message?.rawValue, queued: queued,
            outboxId: queued ? id : nil)
    }

    func cancelOutbox(_ call: CancelOutbox) async throws -> CancelOutbox.Reply {
        let item = try outboxItem(call.outboxId)
        guard let unit = accounts[item.account] else {
            try accounts.discard(item)
            return .init()
        }
        // Removed before the item: without the item, the token would never be deleted.
        if item.kind == OutboxPayload.revocationKind { try await unit.signIn?.cancelRevocation(item.id) }
        guard try await unit.outbox.cancel(item.id, within: ControlService.sendingLimit) else {
            let wasSent = try store.read { try $0.outbox.item(item.id) } == nil
            throw Failed(
                reason: wasSent
                    ? "it has been sent" : "it is being sent now; `cutied ctl outbox` shows the result")
        }
        return .init()
    }

    private func unit(of outboxID: String) throws -> AccountUnit {
        guard let unit = accounts[try outboxItem(outboxID).account] else {
            throw NotConfigured(reason: "its account is no longer configured; add it again")
        }
        return unit
    }

    private func outboxItem(_ id: String) throws -> OutboxRecord {
        guard let item = try store.read({ try $0.outbox.item(id) }) else {
            throw NotFound(what: "outbox item", id: id)
        }
        return item
    }

}

extension OutboxItem {
    init(_ record: OutboxRecord, account: String) {
        let payload = try? JSON.decode(OutboxPayload.self, from: record.payload.utf8)
        self.init(
            outboxId: record.id, account: account, kind: record.kind,
            conversationId: record.conversation?.rawValue, text: payload?.text, state: record.state.rawValue,
            attempts: record.attempts, error: record.error, createdAt: record.createdAt.milliseconds,
            nextAttemptAt: record.nextAttemptAt?.milliseconds)
    }
}

extension OutboxItem {
    fileprivate init(orphaned record: OutboxRecord, by account: String) {
        self.init(record, account: account)
        (state, nextAttemptAt) = (OutboxRecord.State.failed.rawValue, nil)
        error = "account \(account) is no longer configured; add it again, or cancel this message"
    }
}
