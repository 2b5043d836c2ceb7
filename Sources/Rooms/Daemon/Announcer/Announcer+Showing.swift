import Config
import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

extension Announcer {
    /// The new replies in the order in which they are shown, and what goes into the summary.
    private func arranged(_ sorted: SortedPending) -> (news: [PopupNews], digest: [PopupNews]) {
        // What was held of a conversation whose pop-up is still there goes into that one.
        var news = sorted.news + sorted.digest.filter { live.isOwn($0.key) }
        var digest = sorted.digest.filter { !live.isOwn($0.key) }
        // A digest of one conversation says more as that conversation's pop-up.
        if digest.count == 1, let only = digest.first, live[.summary] == nil, hasRoom(for: only.key) {
            news.append(only)
            digest = []
        }
        // What is refused for its words is not in the way of the others.
        news.sort { refusals.count(of: $0.messages) < refusals.count(of: $1.messages) }
        return (news, digest)
    }

    func show(_ sorted: SortedPending) async throws {
        var (news, digest) = arranged(sorted)
        // What lacks no picture does not wait for those of others.
        let pictures = beginPictures(of: news.filter { hasRoom(for: $0.key) })
        news = news.filter { !awaits(pictures, for: $0) } + news.filter { awaits(pictures, for: $0) }
        for (place, item) in news.enumerated() {
            try Task.checkCancellation()
            if awaits(pictures, for: item) { try await avatars.finish(pictures) }
            guard server != nil else { return try hold(item.messages, why: "no notification server") }
            guard hasRoom(for: item.key) else {
                try hold(item.messages, why: "more than \(policy.configuration.maxPopups) pop-ups")
                digest.append(item)
                continue
            }
            guard takeToken() else { continue }
            guard try await showConversation(item) else {
                // One that has enough for now would refuse each of them.
                let rest = news[(place + 1)...].flatMap(\.messages)
                return try hold(rest, why: "the notification server refuses pop-ups")
            }
        }
        guard try await showSummary(digest) else { return }
        if sorted.isPiece, server != nil { wake(at: surroundings.uptime + Self.summaryPace) }
    }

    func hasRoom(for key: PopupKey) -> Bool {
        live.isOwn(key) || live.conversationCount < policy.configuration.maxPopups
    }

    /// False where the server refused.
    private func showConversation(_ item: PopupNews) async throws -> Bool {
        var item = item
        item.messages = try step(.announcing, nil, item.messages, pending: true)
        guard !item.messages.isEmpty else { return true }
        return try await showAnnounced(item)
    }

    @discardableResult
    func showAnnounced(_ item: PopupNews) async throws -> Bool {
        // What of it was read or closed meanwhile is told no more: then this is news, and sounds.
        let (shown, reads) = (live[item.key], reads.value)
        let still = try shown.map { try stillUnread(of: $0, asOf: reads) } ?? 0
        let count = still + item.messages.count
        var told = still > 0 ? try adding(newestOf: shown, to: item) : item
        if still > 0 { told.earlierNames = live.names(of: item.key) }
        let popup = try popup(for: told, count: count, isUpdate: still > 0 && live.isOwn(item.key))
        let isTaken = try await present(
            popup, as: item.key, count: count, item.messages, replacing: shown, countedAsOf: reads)
        live.setNames(names(in: told), of: item.key)
        return isTaken
    }

    /// What was held longer may be older than what is on the screen, whose words stay then.
    private func adding(newestOf shown: PopupRecord?, to item: PopupNews) throws -> PopupNews {
        guard let shown, let last = item.messages.last, shown.lastSequence > last.sequence else {
            return item
        }
        return try store.read { transaction in
            let newest = try transaction.newestReplies(
                in: item.id, account: item.account, limit: shown.count + item.messages.count, stage: .shown)
            var told = item
            told.messages += try newest.prefix(1).flatMap {
                try transaction.message($0, in: item.id, account: item.account)
            }
            .filter { $0.sequence > last.sequence }
            return told
        }
    }

    /// `announcing` was written before, `shown` is after it: a crash in between shows it again, once.
    func present(
        _ popup: Popup, as key: PopupKey, count: Int, _ messages: [MessageRecord],
        replacing shown: PopupRecord?, countedAsOf reads: Int64? = nil
    ) async throws -> Bool {
        guard let server else { return true }
        await onReply()
        do {
            let id = try await notifier.show(popup, replacing: shown?.notification)
            noteShown(key, messages)
            let record = PopupRecord(
                key, notification: id, session: session(of: server), messages, after: shown, count: count,
                shownAt: surroundings.now())
            // A server that was restarted gives its ids anew.
            notices[id] = nil
            let place = (key == .summary ? ControlAPI.LedgerStep.summary + ", " : "") + "pop-up \(id)"
            let former = live.former(of: id, than: key)
            // Where the store fails, the next try replaces it, and counts what is known to be shown.
            live.set(record)
            try step(.shown, place, messages, pending: false) { transaction in
                if let former {
                    try transaction.deletePopup(account: former.account, conversation: former.conversation)
                }
                try transaction.save(record)
            }
            live.set(record, countedAsOf: reads)
        } catch NotifierError.cancelled {
            // We are ending. It stays `announcing` and is shown again by the next run, in the same place.
            throw CancellationError()
        } catch NotifierError.refused(let reason) {
            try refuse(messages, because: reason)
            return false
        } catch let error as NotifierError {
            try await lose(because: error)
            try step(.held, "\(error)", messages, pending: true)
        }
        return true
    }

    /// The server is there and wants this one not: some take only so many at a time. What is on the screen stays.
    private func refuse(_ messages: [MessageRecord], because reason: String) throws {
        logger.warning("the notification server refuses a pop-up", metadata: ["reason": "\(reason)"])
        let now = surroundings.uptime
        var (kept, lost) = (messages, [MessageRecord]())
        if now >= refusals.due {
            if refusals.areOver(at: now) { serverRetry.reset() }
            (kept, lost) = refusals.add(messages, nextTry: now + serverRetry.next(random: 1))
        }
        wake(at: refusals.due)
        let why = "refused by the notification server: \(reason)"
        try store.write { transaction in
            _ = try step(
                .held, ControlAPI.LedgerStep.notShown + why, lost, pending: false, in: transaction)
            _ = try step(.held, why, kept, pending: true, in: transaction)
        }
    }

    /// Of the messages that a pop-up stands for. They are counted again only where something was read.
    private func stillUnread(of record: PopupRecord, asOf reads: Int64) throws -> Int {
        guard !live.isCounted(record.key, asOf: reads) else { return record.count }
        guard case .conversation(let account, let id) = record.key else { return 0 }
        return min(record.count, try store.read { try $0.shownUnreadCount(of: id, account: account) })
    }
}

extension Transaction {
    /// How many of a conversation's unread replies are on the screen.
    func shownUnreadCount(of conversation: Conversation.ID, account: AccountID) throws -> Int {
        let unread = try unreadCount(of: conversation, account: account)
        return try replyCount(in: conversation, account: account, amongNewest: unread, stage: .shown)
    }
}
