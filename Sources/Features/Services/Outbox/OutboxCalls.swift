package import Accounts
import CutieAPI
import Domain
import FoundationEssentials
package import Store

/// The calls that are executed through the outbox: queued once, and answered with the result if it is
/// available within a few seconds.
package struct OutboxCalls {
    let store: MessageStore

    package init(store: MessageStore) { self.store = store }

    /// Queues a call and waits for its result. The key makes it idempotent: if its item is pending or its
    /// result is stored, nothing is queued again.
    package func run(
        as key: String?, by unit: AccountUnit, _ write: (Outbox, String?) throws -> String
    ) async throws -> SendReceipt {
        try await result(of: enqueue(as: key, to: unit, write), from: unit)
    }

    private func enqueue(
        as key: String?, to unit: AccountUnit, _ write: (Outbox, String?) throws -> String
    ) throws -> String {
        guard let key else { return try write(unit.outbox, nil) }
        guard let id = UUID(uuidString: key)?.uuidString.lowercased() else {
            throw ServiceError.invalidArgument(parameter: "idempotencyKey", reason: "it is not a UUID")
        }
        let isKnown = try store.read { try $0.outbox.item(id) != nil || $0.sent.find(id) != nil }
        return isKnown ? id : try write(unit.outbox, id)
    }

    func result(of id: String, from unit: AccountUnit) async throws -> SendReceipt {
        do {
            switch try await unit.outbox.outcome(of: id, within: AccountUnit.queuedLimit) {
            case .sent(let conversation, let message):
                return SendReceipt(conversation: conversation, message: message, queuedItem: nil)
            // The session can be renewed by a new sign-in, so the item stays queued.
            case .failed(.unauthorized) where unit.signIn?.session.canWrite == true: return .queued(id)
            case .failed(let failure): throw try error(of: failure, in: id)
            case nil: return .queued(id)
            }
        } catch is CancellationError {
            // The daemon is shutting down. The item is stored; with an error the client would send it again.
            return .queued(id)
        }
    }

    /// Throws the reason why the account cannot queue messages.
    package func checkAccount(_ unit: AccountUnit) throws {
        guard let reason = try unit.writeObstacle() else { return }
        if unit.signIn != nil { throw ServiceError.signInRequired(reason: reason) }
        throw ServiceError.notAuthorized(reason: reason)
    }

    /// Throws if none of `units` may write, with the reason of the first one.
    package func requireSession(ofOneOf units: [AccountUnit]) throws {
        let obstacles = try units.map { try $0.writeObstacle() }
        if let first = units.first, !obstacles.contains(nil) { try checkAccount(first) }
    }

    /// Returns the error for a failed item. A rejected mark-read has no item, because it is not stored.
    private func error(of failure: APIFailure, in id: String) throws -> ServiceError {
        guard let item = try store.read({ try $0.outbox.item(id) }) else { return failure.error(about: nil) }
        let cause: ServiceError.Rejection =
            switch failure {
            case .unauthorized, .forbidden, .insufficientScope: .notAuthorized
            case .absent where item.conversation != nil: .notFound
            default: .refused
            }
        let waits = item.state == .waiting ? true : nil
        return .notSent(outboxId: id, cause: cause, reason: failure.sentence, waiting: waits)
    }

    /// Returns the text if it may be sent: it is not empty, not longer than the API accepts, and the account
    /// may write.
    package func messageText(_ text: String, to unit: AccountUnit) throws -> String {
        // A message must not be queued if it cannot be sent before the user repairs the account.
        try checkAccount(unit)
        guard text.utf8.count <= TextLimit.message else {
            throw ServiceError.invalidArgument(parameter: "message", reason: "it is longer than 1 MiB")
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw ServiceError.invalidArgument(parameter: "message", reason: "it is empty")
        }
        return text
    }
}
