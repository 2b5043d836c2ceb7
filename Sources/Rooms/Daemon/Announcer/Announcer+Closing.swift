import CutieAPI
import Store

/// Pop-ups leave the screen: read, or taken away.
extension Announcer {
    /// A message read elsewhere takes its pop-up away.
    func closeWhatWasRead() async throws {
        let known = reads.value
        guard closedReads != known else { return }
        for record in try store.read({ try whatWasRead(in: $0) }) {
            try remove(record.notification, how: "read")
            try await close(record.notification)
        }
        for id in try store.read({ try whatWasReadOnceExpired(in: $0) }) {
            live.forgetExpired(id)
            try await close(id) { try await notifier.closeExpired($0) }
        }
        closedReads = known
    }

    private func whatWasRead(in transaction: Transaction) throws -> [PopupRecord] {
        try live.records.compactMap { key, record in
            if key != .summary { return try isRead(key, in: transaction) ? record : nil }
            guard summarised > 0 else { return nil }
            let accounts = try transaction.accounts().map(\.id).filter(isOpen)
            return try accounts.contains(where: transaction.isSummaryUnread(of:)) ? nil : record
        }
    }

    private func whatWasReadOnceExpired(in transaction: Transaction) throws -> [UInt32] {
        try live.expired.compactMap { id, key in
            // Of what a summary stood for, nothing is known any more: it is read when all is.
            let isRead = try key == .summary ? isAllRead(in: transaction) : isRead(key, in: transaction)
            return isRead ? id : nil
        }
    }

    private func isAllRead(in transaction: Transaction) throws -> Bool {
        try transaction.conversations(unreadOnly: true).allSatisfy { !isOpen($0.account) }
    }

    private func isRead(_ key: PopupKey, in transaction: Transaction) throws -> Bool {
        guard case .conversation(let account, let id) = key, isOpen(account) else { return true }
        return try transaction.unreadCount(of: id, account: account) == 0
    }

    /// The person or the server took a pop-up away. What is not ours, or was replaced, is no matter.
    func closed(_ notification: UInt32, how: String, hasExpired: Bool = false) throws {
        notices[notification] = nil
        if hasExpired { live.noteExpired(notification) }
        // It takes nobody's place any more, whatever becomes of the store.
        defer { forget(notification) }
        try remove(notification, how: how)
    }

    /// A pop-up goes from the screen. Where the store fails it is still known, to be taken away later.
    func remove(_ notification: UInt32, how: String) throws {
        guard let record = live[notification] else { return }
        let now = surroundings.now()
        try store.write { transaction in
            try transaction.deletePopup(account: record.account, conversation: record.conversation)
            if let account = record.account, let conversation = record.conversation {
                try transaction.closeShown(in: conversation, account: account, detail: how, at: now)
            }
        }
        forget(notification)
    }

    private func forget(_ notification: UInt32) {
        if live.remove(notification)?.key == .summary { summarised = 0 }
        if !live.areShown { onSettled() }
    }
}
