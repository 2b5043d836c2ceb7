extension Search.Reply {
    /// Returns the matches in message `index` as ranges of Unicode scalar offsets.
    public func ranges(ofMessage index: Int) -> [Range<Int>] {
        (matches ?? []).filter { $0.message == index && $0.start >= 0 && $0.length > 0 }
            .map { $0.start..<$0.start + $0.length }
    }
}

extension ConversationView {
    /// Unix milliseconds: the displayed time, and the sort key of lists (newest first). Marking the
    /// conversation as read does not change this time.
    public var sortedAt: Int64? { lastMessageAt ?? createdAt ?? updatedAt }
}

extension MessageView {
    /// Whether the user of the account wrote the message.
    public var isOwn: Bool { own ?? (senderType == "user") }

    /// Whether only staff can read the message.
    public var isNote: Bool { isInternalNote == true }
}

/// Fixed values of `detail` that clients recognize.
extension LedgerStep {
    /// The detail for a message that the API returned in the response to a call of this daemon.
    public static let answered = "answered to us"
    /// The detail's prefix for a message that will never be shown; the reason follows.
    public static let notShown = "not shown: "
    /// The detail's prefix for a message that is part of a summary notification for several conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
