import CutieAPI
import Desktop
import EventLog
import NotificationPolicy
import Platform
@_spi(Notifications) import Store

/// The stored pop-ups, and the ledger entries of their replies.
final class StoredPopups {
    private let store: MessageStore
    private let session: SessionIdentity
    private let surroundings: RuntimeEnvironment
    /// The session of the server that was last queried.
    private var known: (server: String, session: String)?

    init(store: MessageStore, session: SessionIdentity, surroundings: RuntimeEnvironment) {
        (self.store, self.session, self.surroundings) = (store, session, surroundings)
    }

    /// The stored pop-ups of previous runs.
    struct Former {
        /// The pop-ups of the server's session. They may no longer be on the screen.
        var popups: [PopupOwner: ShownPopup] = [:]
        /// The pop-ups that ended, oldest first.
        var ended: [EndedPopup] = []
        /// The instances of the servers that showed the ended pop-ups, by id.
        var instances: [UInt32: String] = [:]
    }

    /// Returns the stored pop-ups of this server's session and removes all others. Returns all ended pop-ups,
    /// because only a click reveals the instance of the server.
    func popups(of server: NotificationServer) throws -> Former {
        let (records, ended, members) = try store.write { transaction in
            try transaction.popups.removeAll(notOf: session(of: server))
            let table = transaction.popups
            return (try table.all(), try table.ended(), try transaction.summary.count())
        }
        let popups = records.map { ($0.owner, ShownPopup($0, members: members)) }
        return Former(
            popups: Dictionary(popups) { _, last in last },
            ended: ended.map { EndedPopup(owner: $0.owner, popup: ShownPopup($0, members: members)) },
            instances: Dictionary(ended.map { ($0.notification, $0.session) }) { _, last in last })
    }

    /// Stores that a pop-up ended on this instance of the server.
    func end(_ ended: EndedPopup, on instance: String) throws {
        try store.write {
            try $0.popups.saveEnded(
                PopupRecord(
                    owner: ended.owner, notification: ended.popup.id, session: instance,
                    count: ended.popup.count, lastSequence: ended.popup.lastSequence,
                    shownAt: surroundings.now()))
        }
    }

    func contains(_ owner: PopupOwner) throws -> Bool {
        try store.read { try $0.popups.all().contains { $0.owner == owner } }
    }

    /// Stores a pop-up and calls `record` in the same transaction. Removes the `former` owners of its id.
    func save(
        _ popup: ShownPopup, of owner: PopupOwner, on server: NotificationServer,
        replacing former: [PopupOwner], _ record: (Transaction) throws -> Void
    ) throws {
        try store.write { transaction in
            for owner in former { try transaction.popups.remove(owner) }
            try transaction.popups.save(
                PopupRecord(
                    owner: owner, notification: popup.id, session: session(of: server), count: popup.count,
                    lastSequence: popup.lastSequence, shownAt: surroundings.now()))
            try record(transaction)
        }
    }

    /// Removes a pop-up that is no longer on the screen. `reason`: the detail for the ledger.
    func erase(_ owner: PopupOwner, reason: String) throws {
        try store.write { transaction in
            try transaction.popups.remove(owner)
            if case .reply(let account, let conversation) = owner {
                try Ledger(transaction).close(
                    conversation, account: account, detail: reason, at: surroundings.now())
            }
        }
    }

    /// Makes the unread replies of `owners` pending again after the server went away. If the summary had
    /// `members`, their replies too.
    func hold(_ owners: [PopupOwner], members: Int) throws {
        try store.write { transaction in
            let summarised = members > 0 ? try transaction.summary.members() : []
            for owner in owners + summarised.map({ .reply($0.account, $0.conversation) }) {
                try holdUnread(of: owner, in: transaction)
            }
            try transaction.popups.removeAll()
        }
    }

    private func holdUnread(of owner: PopupOwner, in transaction: Transaction) throws {
        guard case .reply(let account, let id) = owner,
            let unread = try transaction.conversations.find(id, account: account)?.unread
        else { return }
        let replies = try transaction.replies.newest(in: id, account: account, limit: unread, stage: .shown)
        try Ledger(transaction).hold(
            replies, in: id, account: account, detail: "the notification server stopped",
            at: surroundings.now())
    }

    /// Returns the identity of the session. Ids are valid only for the same boot, bus and server.
    private func session(of server: NotificationServer) -> String {
        if let known, known.server == server.name { return known.session }
        let name = [session.bootID, session.busAddress, server.name].map { $0 ?? "" }.joined(separator: " ")
        known = (server.name, name)
        return name
    }
}

extension ShownPopup {
    fileprivate init(_ record: PopupRecord, members: Int) {
        // After a restart, the server may have assigned the id to another program. Only `open` is accepted,
        // because it changes nothing.
        self.init(
            id: record.notification, isOwn: false, count: record.count,
            members: record.owner == .summary ? members : 0, lastSequence: record.lastSequence,
            actions: [.open])
    }
}
