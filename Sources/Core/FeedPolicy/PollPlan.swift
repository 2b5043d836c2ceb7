public import CutieAPI

/// The plan of a poll. Processes the pages, newest first, and decides when to stop and which conversations to
/// fetch.
public struct PollPlan: Sendable {
    /// The conversations to fetch, oldest change first. If a poll is interrupted, the newest changes are not
    /// fetched yet, and the next poll finds the newest changes first.
    public var changed: [Conversation] { listed.reversed() }
    private var listed: [Conversation] = []
    private var seen: Set<Conversation.ID> = []
    private var newestExpected: Timestamp?
    /// The time of the server's clock; `nil` if unknown.
    private let now: Timestamp?
    /// Whether the list is not sorted newest first, so that every page must be read.
    public private(set) var isOutOfOrder = false
    private let everything: Bool
    /// The maximum number of conversations, because an endless list would fill the memory. No user has this
    /// many conversations.
    static let maxConversations = 20_000
    private var fetchesToCompare = 0
    static let maxFetchesToCompare = 20

    /// - Parameters:
    ///   - everything: whether to read all pages and fetch all conversations, for a first sync or a `reset`.
    ///   - now: the current time of the server; `nil` if unknown.
    public init(everything: Bool, now: Timestamp? = nil) { (self.everything, self.now) = (everything, now) }

    /// Adds the next page.
    ///
    /// - Parameter isUnchanged: returns whether a conversation equals the state that the last poll stored.
    ///   Events must not change that state; otherwise, changes that were lost before an event would go
    ///   unnoticed.
    /// - Returns: whether another page must be read.
    public mutating func add(
        _ page: [Conversation], limit: Int, isUnchanged: (Conversation) -> Bool
    ) -> Bool {
        var unchanged = true
        var known = true
        for conversation in page {
            checkOrder(of: conversation)
            guard seen.insert(conversation.id).inserted else { continue }
            known = false
            if everything || !isUnchanged(conversation) || mustFetchToCompare(conversation) {
                listed.append(conversation)
                unchanged = false
            }
        }
        // A server that ignores the offset returns the same page forever.
        let more = page.count >= limit && !known && seen.count < Self.maxConversations
        return more && (everything || isOutOfOrder || !unchanged)
    }

    /// Returns whether the conversation must be fetched because the list contains neither a date nor counts
    /// for the conversation. The number of these fetches is limited; in a sorted list, the newest
    /// conversations are fetched.
    private mutating func mustFetchToCompare(_ conversation: Conversation) -> Bool {
        let isComparable = [conversation.messageCount, conversation.unreadCount].contains { $0 != nil }
        guard conversation.updatedAt == nil, !isComparable, fetchesToCompare < Self.maxFetchesToCompare else {
            return false
        }
        fetchesToCompare += 1
        return true
    }

    /// The tolerance for the server's dates, which are in whole seconds, and for the response time.
    private static let tolerance: Duration = .seconds(60)

    /// Checks whether the list is sorted. A conversation out of order is newer than the previous
    /// conversation, or later than the server's current time: the server's clock was ahead, and changes since
    /// then are listed after the conversation.
    private mutating func checkOrder(of conversation: Conversation) {
        guard let updatedAt = conversation.updatedAt else {
            isOutOfOrder = true
            return
        }
        if let newestExpected, updatedAt > newestExpected { isOutOfOrder = true }
        if let now, updatedAt > now + Self.tolerance { isOutOfOrder = true }
        newestExpected = updatedAt
    }
}
