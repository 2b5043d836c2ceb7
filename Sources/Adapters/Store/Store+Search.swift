extension Store {
    /// The messages that hold all of `words`, the last of them as the beginning of a word; best match
    /// first, then the newest. Case and accents do not matter. No words, or only signs: nothing.
    ///
    /// A method of the store and not of a transaction, because what came last is indexed only now.
    public func search(_ words: String, account: AccountID? = nil, limit: Int) throws -> [MessageRecord] {
        var found: [MessageRecord] = []
        try search(words, account: account, limit: limit) {
            found.append($0)
            return true
        }
        return found
    }

    /// What is typed beyond so many words is not looked for.
    public static let mostSearchWords = SearchExpression.maximumWords

    /// The same, handed to `body` one by one until it returns false.
    public func search(
        _ words: String, account: AccountID? = nil, limit: Int, _ body: (MessageRecord) throws -> Bool
    ) throws {
        guard let expression = SearchExpression(words) else { return }
        // On a full disk, what came last is not found; the rest is.
        try? write { try $0.indexNewMessages() }
        try read { try $0.search(expression, account: account, limit: limit, body) }
    }
}
