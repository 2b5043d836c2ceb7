public import CutieAPI

/// Conversations that were listed and could not be fetched: after a restart no list need show them first.
extension Transaction {
    /// `isFirst`: a first sync listed it. What was noted before stays as it is.
    public func noteUnfetched(_ conversation: Conversation.ID, account: AccountID, isFirst: Bool) throws {
        try run(
            "INSERT OR IGNORE INTO unfetched (account, conversation, first) VALUES (?, ?, ?)",
            [account.stored, conversation.stored, isFirst.stored])
    }

    public func forgetUnfetched(_ conversation: Conversation.ID, account: AccountID) throws {
        try run(
            "DELETE FROM unfetched WHERE account = ? AND conversation = ?",
            [account.stored, conversation.stored])
    }

    public func unfetched(of account: AccountID) throws -> [(id: Conversation.ID, isFirst: Bool)] {
        try all("SELECT conversation, first FROM unfetched WHERE account = ?", [account.stored]) {
            (id: $0.id(), isFirst: $0.flag())
        }
    }
}
