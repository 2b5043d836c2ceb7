package import Accounts
import CutieAPI
package import Store

/// A log entry, with the message or conversation that it concerns.
package struct LogLine {
    package let entry: LogEntry
    /// The name of the account; `nil` if the entry concerns no account.
    package let account: String?
    /// The message and the conversation, if the entry itself contains no data.
    package var message: MessageItem?
    package var conversation: ConversationItem?
}

/// Reads the log for clients and hooks.
package struct LogReader {
    private let store: MessageStore
    private let accounts: AccountRegistry

    package init(store: MessageStore, accounts: AccountRegistry) {
        (self.store, self.accounts) = (store, accounts)
    }

    /// The approximate maximum size of the strings that are buffered for a slow client, in bytes.
    private static let textLimit = 64 << 10

    /// Returns up to `limit` entries after `sequence`, oldest first. Returns fewer entries if their messages
    /// are long, and `nil` if some entries were pruned.
    func readLines(after sequence: Int64, limit: Int) throws -> [LogLine]? {
        try store.read { transaction in
            guard try transaction.log.isContiguous(after: sequence) else { return nil }
            var lines: [LogLine] = []
            var size = 0
            for entry in try transaction.log.fetchEntries(after: sequence, limit: limit) {
                guard size < Self.textLimit else { break }
                let line = try makeLine(of: entry, in: transaction)
                size += line.message?.message.text.utf8.count ?? 0
                lines.append(line)
            }
            return lines
        }
    }

    /// Returns an entry with its message and conversation.
    package func makeLine(of entry: LogEntry, in transaction: Transaction) throws -> LogLine {
        let name = entry.account.flatMap { accounts.name(of: $0) }
        var line = LogLine(entry: entry, account: name)
        guard entry.data == nil, let id = entry.account else { return line }
        line.message = try entry.message.flatMap {
            try transaction.messages.find($0, in: entry.conversation, account: id).first
        }.map { MessageItem($0, account: name ?? "", seenBy: accounts.perspective(of: id)).abbreviated }
        line.conversation = try entry.conversation.flatMap {
            try transaction.conversations.find($0, account: id)
        }.map { ConversationItem($0, account: name ?? "") }
        return line
    }
}
