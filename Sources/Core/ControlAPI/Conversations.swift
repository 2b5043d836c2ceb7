extension Search.Reply {
    /// Returns the matching parts of a message as ranges of Unicode scalar offsets.
    public func ranges(ofMessage index: Int) -> [Range<Int>] {
        (matches ?? []).filter { $0.message == index && $0.start >= 0 && $0.length > 0 }
            .map { $0.start..<$0.start + $0.length }
    }
}

extension ConversationView {
    /// Unix milliseconds. The time for display and for sorting (newest first). Read marks do not change it.
    public var sortedAt: Int64? { lastMessageAt ?? createdAt ?? updatedAt }
}

extension MessageView {
    /// Whether the user of the account wrote the message.
    public var isOwn: Bool { own ?? (senderType == "user") }

    /// Whether only staff can read the message.
    public var isNote: Bool { isInternalNote == true }
}

/// Fixed values of `detail` that the daemon stores and that clients display differently.
extension LedgerStep {
    /// The complete detail of a message that was created by a call of this program.
    public static let answered = "answered to us"
    /// The prefix of the detail of a message that will never be shown. The reason follows.
    public static let notShown = "not shown: "
    /// The prefix of the detail of a message that is shown in a summary notification for several
    /// conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
