/// What the daemon writes into the ledger as a detail, and what is told otherwise where it says so.
extension LedgerStep {
    /// The whole detail of what one of our own calls made.
    public static let answered = "answered to us"
    /// Begins the detail of what will never be shown; the reason follows.
    public static let notShown = "not shown: "
    /// Begins the detail of what is shown in the pop-up for several conversations.
    public static let summary = "summary"

    public var isAnswered: Bool { detail == Self.answered }
    public var isNotShown: Bool { detail?.hasPrefix(Self.notShown) == true }
    public var isInSummary: Bool { detail?.hasPrefix(Self.summary) == true }
}
