package import Accounts
package import ControlAPI
import CutieAPI
package import Store

/// The log as clients and hooks receive it.
package struct LogReader {
    let store: MessageStore
    let accounts: AccountRegistry

    package init(store: MessageStore, accounts: AccountRegistry) {
        (self.store, self.accounts) = (store, accounts)
    }

    /// The limit of texts that are buffered for a slow client, in bytes.
    private static let textLimit = 64 << 10

    /// Returns the entries after `sequence`, oldest first: at most `limit`, and fewer if their texts are
    /// long. `nil` if some of them were pruned.
    func entries(after sequence: Int64, limit: Int) throws -> [Watch.Reply]? {
        try store.read { transaction in
            guard try transaction.log.isContiguous(after: sequence) else { return nil }
            var lines: [Watch.Reply] = []
            var size = 0
            for entry in try transaction.log.entries(after: sequence, limit: limit) {
                guard size < Self.textLimit else { break }
                let line = try line(of: entry, in: transaction)
                size += line.data?.message?.message.utf8.count ?? 0
                lines.append(line)
            }
            return lines
        }
    }

    /// Returns an entry with its message or conversation.
    package func line(of entry: LogEntry, in transaction: Transaction) throws -> Watch.Reply {
        let name = entry.account.flatMap { accounts.name(of: $0) }
        var line = Watch.Reply(entry, account: name)
        line.data = try details(of: entry, account: name ?? "", in: transaction)
        return line
    }

    private func details(
        of entry: LogEntry, account: String, in transaction: Transaction
    ) throws -> LogDetails? {
        if let data = entry.data { return try? JSON.decode(LogDetails.self, from: data.utf8) }
        guard let id = entry.account else { return nil }
        let message = try entry.message.flatMap {
            try transaction.messages.find($0, in: entry.conversation, account: id).first
        }
        let conversation = try entry.conversation.flatMap {
            try transaction.conversations.find($0, account: id)
        }
        guard message != nil || conversation != nil else { return nil }
        return LogDetails(
            message: message.map {
                MessageView($0, account: account, seenBy: accounts.perspective(of: id)).abbreviated
            },
            conversation: conversation.map { ConversationView($0, account: account) })
    }
}

extension MessageView {
    /// The message, abridged if it is so large that a reply might not hold it. `Explain` returns the whole
    /// text if it fits.
    var abbreviated: MessageView { message.utf8.count > 256 << 10 ? abridged : self }
}

extension Watch.Reply {
    init(_ entry: LogEntry, account: String?) {
        let share = entry.conversation.flatMap { id in entry.badgeConversation.map { [id.rawValue: $0] } }
        self.init(
            sequence: entry.sequence, type: EntryKind(rawValue: entry.kind.rawValue),
            at: entry.at.milliseconds,
            account: account,
            conversation: entry.conversation?.rawValue, message: entry.message?.rawValue,
            badge: BadgeView(total: entry.badgeTotal, conversations: share ?? [:], unread: entry.badgeUnread),
            state: entry.state.flatMap(ConnectionState.init(rawValue:)))
    }
}
