package import Accounts
package import CutieAPI
import Domain
package import EventLog
import Reasons
import Store

/// Registers push addresses, and processes push payloads.
package struct PushService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment
    private var store: MessageStore { ingest.store }

    package init(ingest: Ingest, accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.ingest, self.accounts, self.runtime) = (ingest, accounts, runtime)
    }

    /// Stores the requested push address; `nil` removes the address. Returns whether the registration is
    /// still pending.
    package func setPushToken(_ text: String?, account: String?) async throws -> Bool {
        let token = text.flatMap { PushToken(rawValue: $0) }
        guard text == nil || token != nil else {
            throw ServiceError.invalidArgument(
                parameter: "token", reason: Reason(.notAPushToken))
        }
        let push = try accounts.findSingleAccount(named: account).requireDevice().push
        do {
            return try await push.setPushToken(token, within: AccountUnit.queuedLimit)
        } catch APIFailure.absent(let reason) {
            throw ServiceError.notOffered(reason: reason)
        } catch let failure as APIFailure {
            throw failure.makeServiceError(forConversation: nil)
        }
    }

    /// The result of processing a payload.
    package struct DeliveryResult {
        package let conversation: Conversation.ID?
        /// The number of messages that arrived.
        package let arrivedCount: Int
        /// Whether the messages will be fetched later.
        package let isQueued: Bool
    }

    /// Processes a payload. The payload is only a hint: the message is fetched from the API, so that it is
    /// complete and is shown once.
    package func processPayload(_ text: String, account: String?) async throws -> DeliveryResult {
        let payload = try parsePayload(text)
        let unit = try findAccount(for: payload, named: account)
        if try isMessageStored(for: payload, of: unit) {
            return DeliveryResult(conversation: payload.conversation, arrivedCount: 0, isQueued: false)
        }
        let before = ingest.head.value
        let isDone = try await fetchMessages(for: payload, of: unit)
        return DeliveryResult(
            conversation: payload.conversation,
            arrivedCount: try countArrivedMessages(after: before, of: unit),
            isQueued: !isDone)
    }

    private func parsePayload(_ text: String) throws -> PushPayload {
        do { return try PushPayload(json: text.utf8) } catch {
            let reason =
                switch error {
                case .tooLarge: Reason(.valueTooLong, ["limit": "64 KiB"])
                case .notJSON: Reason(.payloadNotJSON)
                case .notOurs: Reason(.payloadOfAnotherProgram)
                }
            throw ServiceError.invalidArgument(parameter: "payload", reason: reason)
        }
    }

    private func findAccount(for payload: PushPayload, named name: String?) throws -> AccountUnit {
        let holders = try payload.conversation.map { id in
            try store.read { try $0.conversations.fetchAccounts(containing: id) }
        }
        guard let conversation = payload.conversation, holders?.isEmpty == false else {
            return try accounts.findSingleAccount(named: name)
        }
        return try accounts.findAccount(withConversation: conversation.rawValue, named: name)
    }

    private func isMessageStored(for payload: PushPayload, of unit: AccountUnit) throws -> Bool {
        guard let message = payload.message else { return false }
        return try store.read {
            try $0.messages.wasEverStored(message, in: payload.conversation, account: unit.account.id)
        }
    }

    /// Fetches the messages. Returns `false` if the API does not respond or the first sync is not complete;
    /// the messages are then fetched when the account connects again.
    private func fetchMessages(for payload: PushPayload, of unit: AccountUnit) async throws -> Bool {
        guard try store.read({ try $0.accounts.find(unit.account.id) })?.syncedAt != nil else { return false }
        do {
            let done: Void? = try await runtime.withTimeout(AccountUnit.queuedLimit) {
                try await unit.feed.synchronizer.handlePayload(payload)
            }
            return done != nil
        } catch APIFailure.retry {
            return false
        } catch let failure as APIFailure {
            throw failure.makeServiceError(forConversation: payload.conversation?.rawValue)
        }
    }

    private func countArrivedMessages(after sequence: Int64, of unit: AccountUnit) throws -> Int {
        try store.read { try $0.log.fetchEntries(after: sequence, limit: 1000) }
            .count { $0.kind == .messageCreated && $0.account == unit.account.id }
    }
}
