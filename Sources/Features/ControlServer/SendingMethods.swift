import ControlAPI
import CutieAPI
import Reasons
import Services
import Store
import VarlinkSocket

/// The handlers for the user's messages.
struct SendingMethods: ControlMethods {
    let service: SendingService

    var implementation: Implementation {
        Implementation().on(createConversation).on(sendMessage).on(listOutbox).on(retryOutbox).on(
            cancelOutbox)
    }

    func createConversation(_ call: CreateConversation) async throws -> CreateConversation.Reply {
        let receipt = try await service.createConversation(
            category: call.category, title: call.title, message: call.message, account: call.account,
            idempotencyKey: call.idempotencyKey)
        return .init(
            conversationId: receipt.conversation?.rawValue, queued: receipt.isQueued,
            outboxId: receipt.queuedItem)
    }

    func sendMessage(_ call: SendMessage) async throws -> SendMessage.Reply {
        let receipt = try await service.send(
            call.message, in: call.conversation, account: call.account, reopens: call.reopen == true,
            idempotencyKey: call.idempotencyKey)
        return .init(
            messageId: receipt.message?.rawValue, queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }

    func listOutbox(_ call: ListOutbox) throws -> ListOutbox.Reply {
        let (items, isTruncated) = try service.listItems(account: call.account)
        return ListOutbox.Reply(items: items.map(OutboxItem.init(_:)), cut: isTruncated ? true : nil)
    }

    func retryOutbox(_ call: RetryOutbox) async throws -> RetryOutbox.Reply {
        let receipt = try await service.retryItem(call.outboxId)
        return .init(
            conversationId: receipt.conversation?.rawValue, messageId: receipt.message?.rawValue,
            queued: receipt.isQueued, outboxId: receipt.queuedItem)
    }

    func cancelOutbox(_ call: CancelOutbox) async throws -> CancelOutbox.Reply {
        try await service.cancelItem(call.outboxId)
        return .init()
    }
}

extension OutboxItem {
    fileprivate init(_ entry: OutboxEntry) {
        let record = entry.record
        self.init(
            outboxId: record.id, account: entry.account, kind: record.kind,
            conversationId: record.conversation?.rawValue, text: entry.text, state: record.state.rawValue,
            attempts: record.attempts, error: record.error?.english, createdAt: record.createdAt.milliseconds,
            nextAttemptAt: record.nextAttemptAt?.milliseconds)
        self = withReasonFields(of: record.error)
    }
}
