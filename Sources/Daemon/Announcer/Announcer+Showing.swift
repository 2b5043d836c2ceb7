import Config
import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

extension Announcer {
    /// A summary is updated at most once in this time.
    private static let summaryPace: Duration = .seconds(1)
    /// After so many refusals in a row, which take minutes, what is refused is given up.
    private static let mostRefusals = 10

    func show(_ sorted: SortedPending) async throws {
        // What was held of a conversation whose pop-up is still there goes into that one.
        var news = sorted.news + sorted.digest.filter { live.isOwn($0.key) }
        var digest = sorted.digest.filter { !live.isOwn($0.key) }
        // A digest of one conversation says more as that conversation's pop-up.
        if digest.count == 1, let only = digest.first, live[.summary] == nil, hasRoom(for: only.key) {
            news.append(only)
            digest = []
        }
        for item in news {
            try Task.checkCancellation()
            guard server != nil else { return try hold(item.messages, why: "no notification server") }
            guard hasRoom(for: item.key) else {
                try hold(item.messages, why: "more than \(policy.configuration.maxPopups) pop-ups")
                digest.append(item)
                continue
            }
            guard takeToken() else { continue }
            try await showConversation(item)
        }
        try await showSummary(digest)
        // Not while the server refuses, which asks for longer and longer waits.
        if sorted.isPiece, server != nil, refusals == 0 { wake(at: surroundings.uptime + Self.summaryPace) }
    }

    func hasRoom(for key: PopupKey) -> Bool {
        live.isOwn(key) || live.conversationCount < policy.configuration.maxPopups
    }

    private func showConversation(_ item: PopupNews) async throws {
        var item = item
        item.messages = try step(.announcing, nil, item.messages, pending: true)
        guard !item.messages.isEmpty else { return }
        try await showAnnounced(item)
    }

    func showAnnounced(_ item: PopupNews) async throws {
        // What of it was read or closed meanwhile is told no more: then this is news, and sounds.
        let (shown, reads) = (live[item.key], reads.value)
        let still = try shown.map { try stillUnread(of: $0, asOf: reads) } ?? 0
        let count = still + item.messages.count
        let told = still > 0 ? try adding(newestOf: shown, to: item) : item
        let popup = try popup(for: told, count: count, isUpdate: still > 0 && live.isOwn(item.key))
        try await present(
            popup, as: item.key, count: count, item.messages, replacing: shown, countedAsOf: reads)
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
                try transaction.message($0, account: item.account)
            }
            .filter { $0.sequence > last.sequence }
            return told
        }
    }

    /// What is held for the summary's pace stays held until its time.
    private func showSummary(_ digest: [PopupNews]) async throws {
        guard !digest.isEmpty, server != nil else { return }
        if let last = summaryShownAt, live[.summary] != nil,
            surroundings.uptime - last < Self.summaryPace
        {
            return wake(at: last + Self.summaryPace)
        }
        let shown = live[.summary]
        var members = shown == nil ? 0 : summarised
        let messages = try step(.announcing, nil, digest.flatMap(\.messages), pending: true) { transaction in
            if shown == nil { try transaction.clearSummarised() }
            members += try digest.count { try transaction.summarise($0.id, account: $0.account) }
        }
        guard !messages.isEmpty else { return }
        summarised = members
        let count = (shown?.count ?? 0) + messages.count
        let popup = try digestPopup(count: count, newest: digest, isUpdate: shown != nil)
        try await present(popup, as: .summary, count: count, messages, replacing: shown)
    }

    /// `announcing` was written before, `shown` is after it: a crash in between shows it again, once.
    private func present(
        _ popup: Popup, as key: PopupKey, count: Int, _ messages: [MessageRecord],
        replacing shown: PopupRecord?, countedAsOf reads: Int64? = nil
    ) async throws {
        guard let server else { return }
        do {
            let id = try await notifier.show(popup, replacing: shown?.notification)
            noteShown(key)
            let record = PopupRecord(
                key, notification: id, session: session(of: server), messages, after: shown, count: count,
                shownAt: surroundings.now())
            let place = (key == .summary ? ControlAPI.LedgerStep.summary + ", " : "") + "pop-up \(id)"
            try step(.shown, place, messages, pending: false) { transaction in
                if let former = live.former(of: id, than: key) {
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
        } catch let error as NotifierError {
            try await lose(because: error)
            try step(.held, "\(error)", messages, pending: true)
        }
    }

    /// The server is there and wants this one not: some take only so many at a time. What is on the screen stays.
    private func refuse(_ messages: [MessageRecord], because reason: String) throws {
        noteRefusal()
        let isLast = refusals >= Self.mostRefusals
        logger.warning("the notification server refuses a pop-up", metadata: ["reason": "\(reason)"])
        let why = "refused by the notification server: \(reason)"
        let detail = isLast ? ControlAPI.LedgerStep.notShown + why : why
        try step(.held, detail, messages, pending: !isLast)
    }

    /// Of the messages that a pop-up stands for. They are counted again only where something was read.
    private func stillUnread(of record: PopupRecord, asOf reads: Int64) throws -> Int {
        guard !live.isCounted(record.key, asOf: reads) else { return record.count }
        guard case .conversation(let account, let id) = record.key else { return 0 }
        return try store.read { transaction in
            let unread = try transaction.unreadCount(of: id, account: account)
            return min(
                record.count,
                try transaction.replyCount(in: id, account: account, amongNewest: unread, stage: .shown))
        }
    }
}
