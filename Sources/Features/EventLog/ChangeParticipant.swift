package import CutieAPI
package import FeedPolicy

/// A reader of the log that also writes to the database. All its writes are part of the transaction
/// that changes an account, so the reader needs no separate transaction.
package protocol ChangeParticipant: AnyObject {
    /// Writes to the database at the end of the transaction, when every row is written except the row of
    /// the newest event's message.
    ///
    /// - Returns: a function that is called after the commit and before the head advances; `nil` if there
    ///   is nothing to do. Apply the results of the change only in the returned function, because the
    ///   transaction may still be rolled back before that call.
    func addWrites(to change: AccountTransaction) throws -> (() -> Void)?
}

/// The settings that affect the result of a change.
package protocol ChangeRules {
    /// Returns whether a rule excludes a message of an account from the badge.
    func ignores(_ message: Message, in conversation: Conversation, of account: AccountID) -> Bool
    /// Returns the time after which a conversation that waits for an answer causes a reminder; `nil` for
    /// never.
    func reminderDelay(for perspective: Perspective) -> Duration?
}
