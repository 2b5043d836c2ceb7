package import CutieAPI
@_spi(EventLog) package import Store

/// Writes the ledger steps of replies, in the same transaction as the stored notifications.
package struct Ledger {
    private let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Moves the pending messages among `records` to `stage`, and returns these messages. Messages that
    /// were read elsewhere while the daemon waited for the notification server stay read.
    ///
    /// - Parameter isPendingAfterwards: whether the messages stay pending.
    @discardableResult
    package func movePendingReplies(
        among records: [MessageRecord], to stage: LedgerStage, reason: LedgerEntry.StepReason? = nil,
        detail: String? = nil, isPendingAfterwards: Bool, at time: Timestamp
    ) throws -> [MessageRecord] {
        try records.filter {
            try transaction.ledger.appendIfPending(
                stage, reason: reason, detail: detail, at: time, toRow: $0.row,
                isPendingAfterwards: isPendingAfterwards)
        }
    }

    /// Marks the shown messages of a conversation as closed, after its notification disappeared.
    package func markShownMessagesAsClosed(
        in conversation: Conversation.ID, account: AccountID, detail: String, at time: Timestamp
    ) throws {
        try transaction.ledger.markShownMessagesAsClosed(
            in: conversation, account: account, detail: detail, at: time)
    }

    /// Marks shown replies as held, which makes them pending again.
    package func markAsHeld(
        _ replies: [Message.ID], in conversation: Conversation.ID, account: AccountID, detail: String,
        at time: Timestamp
    ) throws {
        try transaction.ledger.append(
            .held, detail: detail, at: time, to: replies, in: conversation, account: account,
            isPendingAfterwards: true)
    }
}
