import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Runtime
import Store
import VarlinkSocket

/// The handlers for marking messages as read on all devices and for clearing the badge on this one.
struct ReadingMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let surroundings: RuntimeEnvironment
    /// Whether messages that a program has displayed are marked as read.
    let marksDisplayedAsRead: () -> Bool
    private var store: MessageStore { ingest.store }

    var implementation: Implementation { Implementation().on(markRead).on(clearBadge) }

    func markRead(_ call: MarkRead) async throws -> MarkRead.Reply {
        if call.shown == true, !marksDisplayedAsRead() { return .init(conversations: 0, queued: false) }
        let items = try await read(call.conversation, upTo: call.upTo, named: call.account)
        if call.shown == true {
            return .init(conversations: items.count, queued: items.contains { $0.mark.item != nil })
        }
        let queued = try await areQueued(items, about: call.conversation)
        return .init(
            conversations: items.count,
            queued: try queued || hasPendingReads(call.conversation, named: call.account))
    }

    func clearBadge(_ call: ClearBadge) async throws -> ClearBadge.Reply {
        let chosen = try accounts.matching(call.account)
        if let conversation = call.conversation {
            let unit = try accounts.holding(conversation, named: call.account)
            for account in [unit.account.id] + ingest.inboxes.siblings(of: unit.account.id) {
                try ingest.change(account) { try $0.clearBadge(Conversation.ID(conversation)) }
            }
        } else {
            for unit in chosen {
                try ingest.change(unit.account.id) { try $0.clearBadge(nil) }
            }
        }
        let items = call.read == true ? try await read(call.conversation, named: call.account) : []
        let queued = try await areQueued(items, about: call.conversation)
        let waits = try call.read == true && hasPendingReads(call.conversation, named: call.account)
        return .init(badge: try BadgeView(of: chosen, in: ingest), queued: queued || waits)
    }

    private typealias Marked = (unit: AccountUnit, mark: Outbox.ReadMark)

    /// Marks as read locally and queues the update for the server.
    private func read(
        _ conversation: String?, upTo last: String? = nil, named name: String?
    ) async throws -> [Marked] {
        if let conversation {
            let unit = try accounts.holding(conversation, named: name)
            let last = try last.map { try message($0, in: conversation, of: unit) }
            try clearUnreadMark(Conversation.ID(conversation), of: unit)
            let item = try unit.outbox.read(Conversation.ID(conversation), upTo: last)
            return item.map { [(unit, $0)] } ?? []
        }
        guard last == nil else {
            throw InvalidArgument(parameter: "upTo", reason: "the conversation of the message is missing")
        }
        var items: [Marked] = []
        for unit in try accounts.accountsInBadge(name) {
            let unread = try store.read {
                try $0.conversations.all(account: unit.account.id, unreadOnly: true)
            }
            for (index, record) in unread.enumerated() {
                // Let other tasks show replies that arrived during the last slice. These replies stay unread.
                if index > 0, index.isMultiple(of: Self.slice) { await EventLoop.shared.yield() }
                let last = try store.read {
                    try $0.replies.newest(
                        in: record.conversation.id, account: unit.account.id,
                        knownAt: record.newestSequence)
                }
                try clearUnreadMark(record.conversation.id, of: unit)
                items += try unit.outbox.read(record.conversation.id, upTo: last).map { [(unit, $0)] } ?? []
            }
        }
        return items
    }

    /// Removes the user's mark that the conversation is unread.
    private func clearUnreadMark(_ conversation: Conversation.ID, of unit: AccountUnit) throws {
        for account in [unit.account.id] + ingest.inboxes.siblings(of: unit.account.id) {
            let record = try store.read { try $0.conversations.find(conversation, account: account) }
            guard record?.marks.isUnread == true else { continue }
            try ingest.change(account) { try $0.mark(conversation) { $0.isUnread = false } }
        }
    }

    /// The number of conversations that are marked before other tasks run, which takes about 5 ms.
    private static let slice = 8

    private func message(
        _ id: String, in conversation: String, of unit: AccountUnit
    ) throws -> Message.ID {
        let found = try store.read { try $0.messages.find(Message.ID(id), account: unit.account.id) }.first
        guard found?.message.conversation.rawValue == conversation else {
            throw NotFound(what: "message", id: id)
        }
        return Message.ID(id)
    }

    /// Waits for the items, with one timeout for all. Returns whether any of them is pending.
    private func areQueued(_ items: [Marked], about conversation: String?) async throws -> Bool {
        let deadline = surroundings.uptime + ControlService.sendingLimit
        for (unit, mark) in items {
            guard let id = mark.item else { continue }
            let left = max(.zero, deadline - surroundings.uptime)
            do {
                switch try await unit.outbox.outcome(of: id, within: left) {
                case .sent: continue
                case .failed(let failure): throw failure.fault(about: conversation)
                case nil: return true
                }
            } catch is CancellationError {
                // The daemon is shutting down. It sends the update after its next start.
                return true
            }
        }
        return false
    }

    /// Returns whether an earlier mark-read is still pending on the server.
    private func hasPendingReads(_ conversation: String?, named name: String?) throws -> Bool {
        if let conversation {
            let account = try accounts.holding(conversation, named: name).account.id
            return try store.read {
                try $0.outbox.readBound(in: Conversation.ID(conversation), account: account) != nil
            }
        }
        let chosen = try accounts.matching(name)
        return try store.read { transaction in
            try chosen.contains { try transaction.outbox.readCount(of: $0.account.id) > 0 }
        }
    }
}
