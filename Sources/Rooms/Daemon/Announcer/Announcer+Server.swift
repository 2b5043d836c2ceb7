import CutieAPI
import Desktop
import Inbox
import Logging
import Platform
import Store

/// Notification servers come and go, and with them the ids that they gave.
extension Announcer {
    /// Ids hold for the same boot, bus and server; those of another one are void.
    func meet(_ found: NotificationServer) {
        let session = session(of: found)
        do {
            if isScreenLost { try forgetScreen() }
            let (kept, members) = try store.write { transaction in
                try transaction.deletePopups(notOf: session)
                return (try transaction.popups(), try transaction.summarisedCount())
            }
            live = LivePopups(kept)
            closedReads = nil
            summarised = live[.summary] == nil ? 0 : members
        } catch {
            logger.error("cannot read the pop-ups that are on the screen", metadata: ["error": "\(error)"])
            // It would adopt what went with the one before: it is met when that is written.
            if isScreenLost { return }
        }
        server = found
        // Whoever met it may not be the turn that shows what is held.
        reconsider()
    }

    func session(of server: NotificationServer) -> String {
        [identity.bootID, identity.busAddress, server.name].map { $0 ?? "" }.joined(separator: " ")
    }

    /// What the ids of a server hold for that somebody else has asked. The notifier's next call would take its
    /// answer for known: where it is another server, the announcer hears of it here or never.
    func session(heardOf found: NotificationServer) -> String {
        if let server, server != found {
            successor = found
            changes.advance()
        }
        return session(of: found)
    }

    func loseToSuccessor() async throws {
        guard let found = exchange(&successor, with: nil), let server, server != found else { return }
        try await lose(because: .serverChanged(found.name))
    }

    /// The server failed or went away: what was on the screen is held, and shown again once by the next one.
    func lose(because error: NotifierError) async throws {
        logger.notice("the notification server is gone", metadata: ["reason": "\(error)"])
        (server, isScreenLost) = (nil, true)
        await notifier.forgetAll()
        onServerLost()
        try forgetScreen()
        if case .serverChanged = error { return wake(at: surroundings.uptime) }
        wake(at: surroundings.uptime + serverRetry.next(random: 1))
    }

    /// Takes a pop-up off the screen. Where that fails, what else is there has gone, too.
    func close(_ id: UInt32) async throws { try await close(id) { try await notifier.close($0) } }

    func close(_ id: UInt32, by call: (UInt32) async throws -> Void) async throws {
        guard server != nil else { return }
        do { try await call(id) } catch NotifierError.cancelled {
            throw CancellationError()
        } catch let error as NotifierError {
            try await lose(because: error)
        }
    }

    /// All of it or nothing: a pop-up that stays stored is taken for still there by the next server.
    private func forgetScreen() throws {
        try store.write { transaction in
            for key in try onTheScreen(transaction) { try holdUnread(of: key, in: transaction) }
            try transaction.deletePopups()
        }
        live.removeAll()
        summarised = 0
        notices.removeAll()
        isScreenLost = false
    }

    private func onTheScreen(_ transaction: Transaction) throws -> [PopupKey] {
        guard summarised > 0 else { return Array(live.records.keys) }
        let members = try transaction.summarised()
        return live.records.keys + members.map { .conversation($0.account, $0.conversation) }
    }

    private func holdUnread(of key: PopupKey, in transaction: Transaction) throws {
        guard case .conversation(let account, let id) = key,
            let unread = try transaction.conversation(id, account: account)?.unread
        else { return }
        let replies = try transaction.newestReplies(in: id, account: account, limit: unread, stage: .shown)
        try transaction.append(
            step: .held, detail: "the notification server went away", at: surroundings.now(), to: replies,
            in: id,
            account: account, pending: true)
    }
}
