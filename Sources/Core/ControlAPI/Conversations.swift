extension Search.Reply {
    /// Returns the matches of the search in `messages[index]`, as ranges of Unicode scalar offsets.
    public func matchRanges(inMessageAt index: Int) -> [Range<Int>] {
        (matches ?? []).filter { $0.message == index && $0.start >= 0 && $0.length > 0 }
            .map { $0.start..<$0.start + $0.length }
    }
}

extension ConversationView {
    /// The displayed time in Unix milliseconds, which is also the sort key of lists (newest first). Marking
    /// the conversation as read does not change this time, unlike `updatedAt`.
    public var sortedAt: Int64? { lastMessageAt ?? createdAt ?? updatedAt }
}

extension MessageView {
    /// Whether the user of the account wrote the message.
    public var isOwn: Bool { own ?? (senderType == "user") }

    /// Whether only staff can read the message.
    public var isNote: Bool { isInternalNote == true }
}

/// Values of `detail` that clients recognize.
extension LedgerStep {
    /// The value of `detail` if the message was part of the API's response to a request of this daemon,
    /// such as the request that sent the message.
    public static let answered = "answered to us"
    /// The prefix of `detail` if the message will never be shown. The reason follows the prefix.
    public static let notShown = "not shown: "
    /// The prefix of `detail` if the message is part of a summary notification for several conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
