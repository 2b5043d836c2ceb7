import ControlAPI
import CutieAPI
import Inbox
import Log
import Logging
import Store

/// In which shared inbox the device of an account is, asked of the API where no event need tell.
struct InboxMembership {
    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let logger: Logger

    init(of account: Account, client: APIClient, ingest: Ingest, logger: Logger) {
        (self.account, self.client, self.ingest, self.logger) = (account, client, ingest, logger)
    }

    /// Where several accounts are at one API, asks in which inbox this one is, after each of the `connections` and
    /// where another one has changed its own. Calls `onChange` where it is another one.
    func follow(
        _ connections: Signal, _ status: AccountStatus, _ surroundings: Surroundings,
        onChange: () async throws -> Void
    ) async throws {
        var asked: (connection: Int64, change: Int)?
        var backoff = Backoff()
        while true {
            let seen = ingest.states.count
            let current = (connection: connections.count, change: ingest.inboxChanges)
            var wait: Duration?
            if status.state == .connected, ingest.inboxes.hasNeighbour(account.id),
                asked.map({ $0 != current }) ?? true
            {
                if try await find(onChange) {
                    (asked, backoff) = ((current.connection, ingest.inboxChanges), Backoff())
                } else {
                    wait = backoff.next(random: surroundings.random())
                }
            }
            try await surroundings.wait(for: ingest.states, past: seen, atMost: wait)
        }
    }

    /// False where it is not known now. That it is in none is found out when something of it is missing.
    private func find(_ onChange: () async throws -> Void) async throws -> Bool {
        do {
            let group = try await client.send(.linkedDevices())
            guard group.linked, let id = group.groupID, try known() != id else { return true }
            try ingest.change(account.id) { try $0.joinInbox(id) }
            try await onChange()
            return true
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            logger.info("the inbox is not known", metadata: ["reason": "\(failure.sentence)"])
            return failure.isFinal
        }
    }

    /// Where no event tells it: whether this device was taken out of the inbox that it shared. The server is
    /// asked only where something of that is missing in the list of all conversations.
    func noticeRemoval(whenListed all: Set<Conversation.ID>) async throws -> Bool {
        guard let group = try known(), try isAnyMissing(in: all), try await isOutside(group)
        else { return false }
        try ingest.change(account.id) { try $0.leaveInbox() }
        return true
    }

    private func known() throws -> String? {
        try ingest.store.read { try Change.inbox(of: account.id, in: $0) }
    }

    private func isAnyMissing(in all: Set<Conversation.ID>) throws -> Bool {
        let stored = try ingest.store.read {
            try $0.conversations.all(account: account.id, limit: all.count + 1)
        }
        return stored.contains { !all.contains($0.conversation.id) }
    }

    private func isOutside(_ group: String) async throws(APIFailure) -> Bool {
        do throws(APIFailure) {
            let now = try await client.send(.linkedDevices())
            return !now.linked || (now.groupID ?? group) != group
        } catch {
            if case .absent = error { return false }
            throw error
        }
    }
}
