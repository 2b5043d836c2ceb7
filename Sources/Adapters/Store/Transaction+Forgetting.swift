extension Transaction {
    /// Takes away all conversations and messages of an account, with their ids: the account begins anew with a
    /// first sync. What waits in its outbox stays.
    public func forgetEverything(of account: AccountID) throws {
        // What is not in the full-text index cannot be taken out of it.
        try indexNewMessages()
        for table in ["message", "seen_message", "conversation", "unfetched"] {
            try run("DELETE FROM \(table) WHERE account = ?", [account.stored])
        }
        try setSynced(at: nil, of: account)
        try setUnread(nil, of: account)
    }
}
