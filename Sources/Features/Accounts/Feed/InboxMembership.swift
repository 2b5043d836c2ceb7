import CutieAPI
import Domain
import EventLog
import FeedPolicy
import Logging
import Store

/// Tracks the shared inbox to which an account's device belongs. Queries the API, because some changes cause
/// no event.
struct InboxMembership {
    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let logger: Logger

    init(of account: Account, client: APIClient, ingest: Ingest, logger: Logger) {
        (self.account, self.client, self.ingest, self.logger) = (account, client, ingest, logger)
    }

    /// Queries the inbox after each connection, and when the inbox of another account changes. Runs until
    /// cancelled, and sends requests only if several accounts use the same API. Calls `onChange` if the inbox
    /// has changed.
    func monitorInbox(
        afterEachSignalOf connections: ChangeSignal, status: AccountStatus, runtime: RuntimeEnvironment,
        onChange: () async throws -> Void
    ) async throws {
        var asked: (connection: Int64, change: Int)?
        var backoff = Backoff()
        while true {
            let seen = ingest.stateSignal.count
            let current = (connection: connections.count, change: ingest.inboxChanges)
            var wait: Duration?
            if status.state == .connected, ingest.inboxes.sharesAPI(account.id),
                asked.map({ $0 != current }) ?? true
            {
                if try await updateMembership(onChange: onChange) {
                    (asked, backoff) = ((current.connection, ingest.inboxChanges), Backoff())
                } else {
                    wait = backoff.nextDelay(random: runtime.random())
                }
            }
            try await runtime.wait(for: ingest.stateSignal, past: seen, atMost: wait)
        }
    }

    /// Queries and stores the inbox of the device. Returns `false` if the query failed and a retry may
    /// succeed. Does not detect that the device has left its inbox; see `checkForRemoval`.
    private func updateMembership(onChange: () async throws -> Void) async throws -> Bool {
        do {
            let group = try await client.send(.linkedDevices())
            guard group.linked, let id = group.groupID, try storedGroupID() != id else { return true }
            try ingest.performChange(on: account.id) { try $0.recordInboxID(id) }
            try await onChange()
            return true
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            logger.info("the inbox is unknown", metadata: ["reason": "\(failure.sentence)"])
            return failure.isFinal
        }
    }

    /// Detects that this device was removed from its shared inbox, and deletes the local history of the
    /// account. The removal is not always reported by an event. Queries the server only if stored
    /// conversations are missing from the complete list `listedIDs`. Returns whether the device was
    /// removed.
    func checkForRemoval(listedIDs: Set<Conversation.ID>) async throws -> Bool {
        guard let group = try storedGroupID(), try isAnyStoredConversationMissing(from: listedIDs),
            try await checkIfRemoved(from: group)
        else { return false }
        try ingest.performChange(on: account.id) { try $0.deleteHistoryAfterRemovalFromInbox() }
        return true
    }

    private func storedGroupID() throws -> String? {
        try ingest.store.read { try AccountTransaction.readInboxID(of: account.id, in: $0) }
    }

    private func isAnyStoredConversationMissing(from listedIDs: Set<Conversation.ID>) throws -> Bool {
        let stored = try ingest.store.read {
            try $0.conversations.fetchAll(account: account.id, limit: listedIDs.count + 1)
        }
        return stored.contains { !listedIDs.contains($0.conversation.id) }
    }

    private func checkIfRemoved(from group: String) async throws(APIFailure) -> Bool {
        do throws(APIFailure) {
            let now = try await client.send(.linkedDevices())
            return !now.linked || (now.groupID ?? group) != group
        } catch {
            if case .absent = error { return false }
            throw error
        }
    }
}
