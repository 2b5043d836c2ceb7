import ControlAPI
import CutieAPI
import Inbox
import Logging
import Store

extension Feed {
    /// The device shares another inbox than before. Where events tell of that, too, what comes twice has no
    /// second effect; a failure is made good when the connection is back. A person waits for the answer, and
    /// not for an inbox that takes longer than `limit`: that comes with a connection made anew.
    func takeNewInbox(within limit: Duration) async throws {
        sync.isOfAnotherInbox = true
        do {
            let taken: Void? = try await surroundings.within(limit) { try await self.takeState() }
            if taken == nil { revalidate(because: .person) }
        } catch let failure as APIFailure {
            logger.info("the new inbox comes later", metadata: ["reason": "\(failure.sentence)"])
        }
    }

    /// Where several accounts are at one API, asks in which inbox this one is, after each connection and where
    /// another one has changed its own: no event need tell.
    func followInbox(_ connections: Head) async throws {
        var asked: (connection: Int64, change: Int)?
        var backoff = Backoff()
        while true {
            let seen = ingest.states.value
            let current = (connection: connections.value, change: ingest.inboxChanges)
            var wait: Duration?
            if status.state == .connected, ingest.inboxes.hasNeighbour(account.id),
                asked.map({ $0 != current }) ?? true
            {
                if try await findInbox() {
                    (asked, backoff) = ((current.connection, ingest.inboxChanges), Backoff())
                } else {
                    wait = backoff.next(random: surroundings.random())
                }
            }
            try await surroundings.wait(for: ingest.states, past: seen, atMost: wait)
        }
    }

    /// False where it is not known now. That it is in none is found out when something of it is missing.
    private func findInbox() async throws -> Bool {
        do {
            let group = try await client.send(.linkedDevices())
            guard group.linked, let id = group.groupID,
                try ingest.store.read({ try Change.inbox(of: account.id, in: $0) }) != id
            else { return true }
            try ingest.change(account.id) { try $0.joinInbox(id) }
            sync.isOfAnotherInbox = true
            try await takeState()
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
        guard let group = try ingest.store.read({ try Change.inbox(of: account.id, in: $0) }),
            try isAnyMissing(in: all), try await isOutside(group)
        else { return false }
        try ingest.change(account.id) { try $0.leaveInbox() }
        return true
    }

    private func isAnyMissing(in all: Set<Conversation.ID>) throws -> Bool {
        let stored = try ingest.store.read {
            try $0.conversations(account: account.id, limit: all.count + 1)
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
