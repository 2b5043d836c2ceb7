import CutieAPI
import Inbox
import Store

extension Ingest {
    /// Takes one conversation as a poll fetched it. `isOvertaken`: it is another one here than when the server
    /// was asked.
    func accept(
        fetched: Conversation, listed: Conversation, account: AccountID, first: Bool,
        isOvertaken: Bool = false
    ) throws {
        try change(account) {
            try $0.apply(fetched: fetched, listed: listed, first: first, isOvertaken: isOvertaken)
        }
        noteLook(at: account)
    }

    /// Notes what was listed and not fetched, and takes what the list told of what is not here yet.
    func leave(_ wanted: [Wanted], of account: AccountID) throws {
        try change(account) { change in
            for item in wanted {
                try change.transaction.noteUnfetched(item.id, account: account, isFirst: item.isFirst)
                if let listed = item.listed { try change.apply(onlyListed: listed, first: item.isFirst) }
            }
        }
    }

    func conversation(_ id: Conversation.ID, of account: AccountID) throws -> ConversationRecord? {
        try store.read { try $0.conversation(id, account: account) }
    }

    /// A poll has taken everything that changed: the badge is known now. False where the server's total
    /// is not the sum of what is here although nothing waits to be sent.
    func complete(_ account: AccountID, totalUnread: Int?, first: Bool) throws -> Bool {
        defer { noteLook(at: account) }
        return try change(account) { change in
            let sums = try change.transaction.sums(of: account)
            let before = change.badge
            change.badge = Badge(total: sums.badge, unread: sums.unread)
            if first { try change.transaction.setSynced(at: change.now, of: account) }
            if change.badge != before { try change.log("badge") }
            return try change.explains(totalUnread)
        }
    }

    /// A conversation that the server does not have any more: nothing in it is unread.
    func lose(_ conversation: Conversation.ID, of account: AccountID) throws {
        _ = try change(account) { try $0.read(conversation, how: "its conversation is gone") }
    }

    /// Where the events go on from; nil: from "now", after a poll.
    func keep(cursor: Event.ID?, of account: AccountID) throws {
        try store.write { try $0.setCursor(cursor, of: account) }
    }
}
