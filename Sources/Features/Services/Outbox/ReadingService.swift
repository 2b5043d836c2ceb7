package import Accounts
import CutieAPI
import Domain
package import EventLog
import Reasons
import Runtime
import Store

/// Marks messages as read on all devices, and clears the badge on this device.
package struct ReadingService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment
    private var store: MessageStore { ingest.store }

    package init(ingest: Ingest, accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.ingest, self.accounts, self.runtime) = (ingest, accounts, runtime)
    }

    /// Marks one conversation, or all conversations, as read. Returns the number of changed conversations,
    /// and whether an update of the server is still pending.
    ///
    /// - Parameters:
    ///   - messageID: the newest message to mark; `nil` for all messages.
    /// - waitsForServer: whether to wait until the server has processed the update.
    package func markRead(
        _ conversation: String?, upTo messageID: String? = nil, account: String?, waitsForServer: Bool = true
    ) async throws -> (conversations: Int, isQueued: Bool) {
        let items = try await markRead(conversation, upTo: messageID, accountName: account)
        guard waitsForServer else { return (items.count, items.contains { $0.mark.item != nil }) }
        let isQueued = try await waitForDelivery(of: items, about: conversation)
        return (items.count, try isQueued || hasPendingReads(in: conversation, accountName: account))
    }

    /// Removes one conversation, or all conversations, from the badge. Returns whether an update of the
    /// server is still pending.
    ///
    /// - Parameter marksRead: whether to also mark the messages as read.
    package func clearBadge(of conversation: String?, account: String?, marksRead: Bool) async throws -> Bool
    {
        if let conversation {
            let unit = try accounts.findAccount(withConversation: conversation, named: account)
            for account in [unit.account.id] + ingest.inboxes.siblings(of: unit.account.id) {
                try ingest.performChange(on: account) { try $0.clearBadge(of: Conversation.ID(conversation)) }
            }
        } else {
            for unit in try accounts.findAccounts(named: account) {
                try ingest.performChange(on: unit.account.id) { try $0.clearBadge(of: nil) }
            }
        }
        guard marksRead else { return false }
        return try await markRead(conversation, account: account).isQueued
    }

    private typealias MarkedConversation = (unit: AccountUnit, mark: Outbox.ReadMark)

    /// Removes the user's unread mark, marks messages as read locally, and queues the requests that mark them
    /// as read on the server.
    private func markRead(
        _ conversation: String?, upTo messageID: String? = nil, accountName name: String?
    ) async throws -> [MarkedConversation] {
        if let conversation {
            let unit = try accounts.findAccount(withConversation: conversation, named: name)
            let messageID = try messageID.map { try findMessage($0, in: conversation, of: unit) }
            try clearUnreadMark(of: Conversation.ID(conversation), on: unit)
            let item = try unit.outbox.markRead(Conversation.ID(conversation), upTo: messageID)
            return item.map { [(unit, $0)] } ?? []
        }
        guard messageID == nil else {
            throw ServiceError.invalidArgument(
                parameter: "upTo", reason: Reason(.conversationOfMessageMissing))
        }
        var items: [MarkedConversation] = []
        for unit in try accounts.findAccountsInBadge(named: name) {
            let unread = try store.read {
                try $0.conversations.fetchAll(account: unit.account.id, unreadOnly: true)
            }
            for (index, record) in unread.enumerated() {
                // Let other tasks show replies that arrived during the last slice. These replies stay unread.
                if index > 0, index.isMultiple(of: Self.slice) { await EventLoop.shared.yield() }
                let messageID = try store.read {
                    try $0.replies.findNewest(
                        in: record.conversation.id, account: unit.account.id,
                        upToSequence: record.newestSequence)
                }
                try clearUnreadMark(of: record.conversation.id, on: unit)
                items +=
                    try unit.outbox.markRead(record.conversation.id, upTo: messageID).map { [(unit, $0)] }
                    ?? []
            }
        }
        return items
    }

    /// Removes the user's mark that the conversation is unread, in all accounts of the shared inbox.
    private func clearUnreadMark(of conversation: Conversation.ID, on unit: AccountUnit) throws {
        for account in [unit.account.id] + ingest.inboxes.siblings(of: unit.account.id) {
            let record = try store.read { try $0.conversations.find(conversation, account: account) }
            guard record?.marks.isUnread == true else { continue }
            try ingest.performChange(on: account) {
                try $0.updateMarks(of: conversation) { $0.isUnread = false }
            }
        }
    }

    /// The number of conversations to mark as read before other tasks may run. Marking this number of
    /// conversations takes about 5 ms.
    private static let slice = 8

    private func findMessage(
        _ id: String, in conversation: String, of unit: AccountUnit
    ) throws -> Message.ID {
        let found = try store.read { try $0.messages.find(Message.ID(id), account: unit.account.id) }.first
        guard found?.message.conversation.rawValue == conversation else {
            throw ServiceError.notFound(what: "message", id: id)
        }
        return Message.ID(id)
    }

    /// Waits until the server has processed `items`, with one timeout for all. Returns whether an update is
    /// still pending. Throws if
    /// an update failed.
    private func waitForDelivery(of items: [MarkedConversation], about conversation: String?) async throws
        -> Bool
    {
        let deadline = runtime.uptime + AccountUnit.queuedLimit
        for (unit, mark) in items {
            guard let id = mark.item else { continue }
            let left = max(.zero, deadline - runtime.uptime)
            do {
                switch try await unit.outbox.waitForOutcome(of: id, within: left) {
                case .sent: continue
                case .failed(let failure): throw failure.makeServiceError(forConversation: conversation)
                case nil: return true
                }
            } catch is CancellationError {
                // The daemon is shutting down and sends the update after the restart, so the update is
                // pending.
                return true
            }
        }
        return false
    }

    /// Returns whether an earlier mark-read is still pending.
    private func hasPendingReads(in conversation: String?, accountName name: String?) throws -> Bool {
        if let conversation {
            let account = try accounts.findAccount(withConversation: conversation, named: name).account.id
            return try store.read {
                try $0.outbox.fetchNewestReadMessageID(in: Conversation.ID(conversation), account: account)
                    != nil
            }
        }
        let chosen = try accounts.findAccounts(named: name)
        return try store.read { transaction in
            try chosen.contains { try transaction.outbox.countReadMarks(of: $0.account.id) > 0 }
        }
    }
}
