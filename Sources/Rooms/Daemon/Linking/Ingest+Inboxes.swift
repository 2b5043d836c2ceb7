import ControlAPI
import CutieAPI
import Inbox
import Store

/// Accounts that are one inbox: a reply is told and counted once.
extension Ingest {
    /// What the sum of the badges is made of.
    func counts(_ account: AccountID) -> Bool { !inboxes.isSecond(account) }

    /// Finds out anew which accounts are one inbox; to be called where one of them joined or left, or another is
    /// to tell for it.
    func regroup() throws {
        let (before, sum) = (inboxes, badge)
        inboxes = SharedInboxes(try members())
        guard inboxes != before else { return }
        let freed = before.seconds.filter { isOpen($0) && counts($0) }
        for account in freed { try change(account) { try $0.tellWhatNobodyTold() } }
        if badge != sum { try log("badge") { _ in } }
        reads.advance()
        states.advance()
        if !freed.isEmpty { onFreed() }
    }

    /// What was read of one account was read of the others that are the same inbox.
    func readAll(of conversation: Conversation.ID, besides account: AccountID) throws {
        for sibling in inboxes.siblings(of: account) where isOpen(sibling) {
            _ = try change(sibling) { try $0.read(conversation, leaving: 0) }
        }
    }
}

extension Change {
    /// Of a reply that several accounts take which are one inbox, one tells; nil: this one.
    func toldElsewhere(_ message: Message) throws -> (Stage, String)? {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.message(message.id, in: message.conversation, account: sibling).first
            guard let copy, copy.stage != .received else { continue }
            return (.held, ControlAPI.LedgerStep.notShown + "told by account " + inboxes.name(of: sibling))
        }
        guard inboxes.isSecond(account) else { return nil }
        return (.received, "account \(inboxes.name(of: inboxes.first(of: account))) tells of it")
    }

    /// The copies that the others have need not be told any more.
    func noteTold(_ message: Message) throws {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.message(message.id, in: message.conversation, account: sibling).first
            guard copy?.stage == .received else { continue }
            try transaction.append(
                step: .held,
                detail: ControlAPI.LedgerStep.notShown + "told by account " + inboxes.name(of: account),
                at: now, to: message.id, in: message.conversation, account: sibling, pending: false)
        }
    }

    /// Another account of the inbox has it: the log has told of it.
    func isLogged(_ message: Message) throws -> Bool {
        try inboxes.siblings(of: account).contains {
            try transaction.hasSeen(message.id, in: message.conversation, account: $0)
        }
    }

    /// The account that told for this one does so no more: what it never took is news now.
    mutating func tellWhatNobodyTold() throws {
        for record in try transaction.conversations(account: account, unreadOnly: true) {
            let id = record.conversation.id
            let untold = try transaction.newestReplies(
                in: id, account: account, limit: record.unread, stage: .received)
            try transaction.append(
                step: .held, detail: "no other account tells of it", at: now, to: untold, in: id,
                account: account, pending: true)
            for message in untold.reversed() { try log("message.created", record, message: message) }
        }
    }
}
