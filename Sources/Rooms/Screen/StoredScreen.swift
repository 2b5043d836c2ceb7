import Attention
import CutieAPI
import Desktop
import Log
import Platform
@_spi(Screen) import Store

/// What is stored of the screen: which pop-ups are on it, and what the ledger tells of the replies that they
/// stand for.
final class StoredScreen {
    private let store: Store
    private let session: SessionIdentity
    private let surroundings: Surroundings
    /// Of the server that was asked about last.
    private var known: (server: String, session: String)?

    init(store: Store, session: SessionIdentity, surroundings: Surroundings) {
        (self.store, self.session, self.surroundings) = (store, session, surroundings)
    }

    /// Those whose ids this server may have given: the others are forgotten. Whether they are still there is not
    /// known.
    func popups(of server: NotificationServer) throws -> [PopupOwner: ShownPopup] {
        let (records, members) = try store.write { transaction in
            try transaction.popups.removeAll(notOf: session(of: server))
            return (try transaction.popups.all(), try transaction.summary.count())
        }
        let popups = records.map { ($0.owner, ShownPopup($0, members: members)) }
        return Dictionary(popups) { _, last in last }
    }

    func contains(_ owner: PopupOwner) throws -> Bool {
        try store.read { try $0.popups.all().contains { $0.owner == owner } }
    }

    /// Stores one that is on the screen, in the place of `former` ones that its id belonged to, with what `record`
    /// has to say of it.
    func save(
        _ popup: ShownPopup, of owner: PopupOwner, on server: NotificationServer,
        without former: [PopupOwner], _ record: (Transaction) throws -> Void
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

    /// It is on the screen no more. `how`: what the ledger says of its replies.
    func erase(_ owner: PopupOwner, how: String) throws {
        try store.write { transaction in
            try transaction.popups.remove(owner)
            if case .reply(let account, let conversation) = owner {
                try Ledger(transaction).close(
                    conversation, account: account, detail: how, at: surroundings.now())
            }
        }
    }

    /// The screen is gone: its replies that are unread wait again, also those of a summary that stood for
    /// `members`.
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
            replies, in: id, account: account, detail: "the notification server went away",
            at: surroundings.now())
    }

    /// Ids hold for the same boot, bus and server; those of another one are void.
    private func session(of server: NotificationServer) -> String {
        if let known, known.server == server.name { return known.session }
        let name = [session.bootID, session.busAddress, server.name].map { $0 ?? "" }.joined(separator: " ")
        known = (server.name, name)
        return name
    }
}

extension ShownPopup {
    fileprivate init(_ record: PopupRecord, members: Int) {
        // The server may have been restarted since and have given the id to another program: nothing is done on its
        // behalf but to open a window.
        self.init(
            id: record.notification, isOwn: false, count: record.count,
            members: record.owner == .summary ? members : 0, lastSequence: record.lastSequence,
            actions: [.open])
    }
}
