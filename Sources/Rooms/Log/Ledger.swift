package import CutieAPI
@_spi(Log) package import Store

/// The ledger for who shows replies: what became of each is written in the same transaction as the pop-ups.
package struct Ledger {
    private let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Moves a message that still waits to be announced, else false: what was read meanwhile stays read.
    /// `pending`: it goes on waiting.
    package func move(
        _ record: MessageRecord, to stage: Stage, reason: LedgerEntry.Reason? = nil, detail: String?,
        pending: Bool, at time: Timestamp
    ) throws -> Bool {
        try transaction.ledger.appendToPending(
            stage, reason: reason, detail: detail, at: time, to: record.row, pending: pending)
    }

    /// Writes of a message that this transaction has stored that it is announced. Nobody can have read it, and it
    /// may stay `stored`: a restart announces what is that as it does what was being announced.
    package func announce(_ record: MessageRecord, at time: Timestamp) throws {
        try transaction.ledger.note(.announcing, at: time, row: record.row)
    }

    /// The pop-up of a thread is gone: what it showed was closed.
    package func close(
        _ conversation: Conversation.ID, account: AccountID, detail: String, at time: Timestamp
    ) throws {
        try transaction.ledger.closeShown(in: conversation, account: account, detail: detail, at: time)
    }

    /// What was shown waits again.
    package func hold(
        _ replies: [Message.ID], in conversation: Conversation.ID, account: AccountID, detail: String,
        at time: Timestamp
    ) throws {
        try transaction.ledger.append(
            .held, detail: detail, at: time, to: replies, in: conversation, account: account, pending: true)
    }
}
