package import Accounts
import CutieAPI
import Domain
import FoundationEssentials
import Reasons
package import Store

/// Executes calls through the outbox. A call is queued once, and returns its result if the result is
/// available within a few seconds.
package struct OutboxCalls {
    let store: MessageStore

    package init(store: MessageStore) { self.store = store }

    /// Queues a call and waits for its result. `idempotencyKey`: if an item with this key is
    /// pending, or the result of such an item is stored, nothing is queued; `nil` always queues the call.
    package func enqueueAndWait(
        idempotencyKey: String?, on unit: AccountUnit, _ write: (Outbox, String?) throws -> String
    ) async throws -> SendReceipt {
        try await waitForResult(of: enqueue(idempotencyKey: idempotencyKey, on: unit, write), on: unit)
    }

    private func enqueue(
        idempotencyKey: String?, on unit: AccountUnit, _ write: (Outbox, String?) throws -> String
    ) throws -> String {
        guard let idempotencyKey else { return try write(unit.outbox, nil) }
        guard let id = UUID(uuidString: idempotencyKey)?.uuidString.lowercased() else {
            throw ServiceError.invalidArgument(parameter: "idempotencyKey", reason: Reason(.notAUUID))
        }
        let isKnown = try store.read {
            try $0.outbox.findItem(id) != nil || $0.sent.findResult(ofItem: id) != nil
        }
        return isKnown ? id : try write(unit.outbox, id)
    }

    func waitForResult(of id: String, on unit: AccountUnit) async throws -> SendReceipt {
        do {
            switch try await unit.outbox.waitForOutcome(of: id, within: AccountUnit.queuedLimit) {
            case .sent(let conversation, let message):
                return SendReceipt(conversation: conversation, message: message, queuedItem: nil)
            // Leave the item in the queue, because a new sign-in can renew the session.
            case .failed(.unauthorized) where unit.signIn?.session.canWrite == true:
                return .makeQueuedReceipt(for: id)
            case .failed(let failure): throw try makeError(for: failure, ofItem: id)
            case nil: return .makeQueuedReceipt(for: id)
            }
        } catch is CancellationError {
            // The daemon is shutting down, and the item is stored. Throw no error, because the client would
            // then send the item again.
            return .makeQueuedReceipt(for: id)
        }
    }

    /// If the account cannot queue messages, throws an error with the reason.
    package func checkMessagesCanBeQueued(on unit: AccountUnit) throws {
        guard let reason = try unit.reasonMessagesCannotBeQueued() else { return }
        if unit.signIn != nil { throw ServiceError.signInRequired(reason: reason) }
        throw ServiceError.notAuthorized(reason: reason)
    }

    /// If no account of `units` can queue messages, throws an error with the reason of the first account.
    package func checkMessagesCanBeQueued(onAnyOf units: [AccountUnit]) throws {
        let obstacles = try units.map { try $0.reasonMessagesCannotBeQueued() }
        if let first = units.first, !obstacles.contains(nil) { try checkMessagesCanBeQueued(on: first) }
    }

    /// Returns the error for a failed item. If the item no longer exists (a rejected mark-read), returns the
    /// error of the request.
    private func makeError(for failure: APIFailure, ofItem id: String) throws -> ServiceError {
        guard let item = try store.read({ try $0.outbox.findItem(id) }) else {
            return failure.makeServiceError(forConversation: nil)
        }
        let cause: ServiceError.Rejection =
            switch failure {
            case .unauthorized, .forbidden, .insufficientScope: .notAuthorized
            case .absent where item.conversation != nil: .notFound
            default: .refused
            }
        let waits = item.state == .waiting ? true : nil
        let status: Int? = if case .fatal(_, let error?) = failure { error.status } else { nil }
        return .notSent(
            outboxId: id, cause: cause, reason: failure.reason, waiting: waits, status: status)
    }

    /// Checks and returns the text. Throws if the text is empty or longer than the API accepts, or if the
    /// account cannot queue messages.
    package func checkedMessageText(_ text: String, for unit: AccountUnit) throws -> String {
        // Check the account first: do not queue a message if the user must first repair the account.
        try checkMessagesCanBeQueued(on: unit)
        guard text.utf8.count <= TextLimit.message else {
            throw ServiceError.invalidArgument(
                parameter: "message", reason: Reason(.valueTooLong, ["limit": "1 MiB"]))
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw ServiceError.invalidArgument(parameter: "message", reason: Reason(.valueEmpty))
        }
        return text
    }
}
