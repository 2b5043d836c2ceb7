public import CutieAPI

/// The plan of a poll. The caller adds the pages of the conversation list, newest conversation first; the
/// plan decides when to stop and which conversations to fetch.
public struct PollPlan: Sendable {
    /// The conversations to fetch, oldest change first. If the poll is interrupted, only the newest changes
    /// are missing, and the next poll finds the missing changes first.
    public var changed: [Conversation] { listed.reversed() }
    private var listed: [Conversation] = []
    private var seen: Set<Conversation.ID> = []
    private var newestExpected: Timestamp?
    /// The current time of the server's clock; `nil` if unknown.
    private let now: Timestamp?
    /// Whether the server's list is in an order other than newest first. If so, every page must be read.
    public private(set) var isOutOfOrder = false
    private let fetchesAll: Bool
    /// The maximum number of conversations to read, far above the number of conversations of any user.
    /// Without a maximum, a server with an endless list would exhaust the memory.
    static let maxConversations = 20_000
    private var fetchesToCompare = 0
    static let maxFetchesToCompare = 20

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - fetchesAll: whether to read all pages and fetch all conversations, for a first sync or a `reset`.
    ///   - now: the current time of the server; `nil` if unknown.
    public init(fetchesAll: Bool, now: Timestamp? = nil) { (self.fetchesAll, self.now) = (fetchesAll, now) }

    /// Adds the next page.
    ///
    /// - Parameter isUnchanged: returns whether a conversation equals the version that the last poll
    ///   stored. Events must not update this version. Otherwise, the poll could not detect a change whose
    ///   event the daemon missed.
    /// - Returns: whether another page must be read.
    public mutating func addPage(
        _ page: [Conversation], pageSize: Int, isUnchanged: (Conversation) -> Bool
    ) -> Bool {
        var unchanged = true
        var known = true
        for conversation in page {
            updateIsOutOfOrder(with: conversation)
            guard seen.insert(conversation.id).inserted else { continue }
            known = false
            if fetchesAll || !isUnchanged(conversation) || reserveFetchIfNecessary(toCompare: conversation) {
                listed.append(conversation)
                unchanged = false
            }
        }
        // If a page contains no new conversation, stop: a server that ignores the offset returns the same
        // page forever.
        let more = page.count >= pageSize && !known && seen.count < Self.maxConversations
        return more && (fetchesAll || isOutOfOrder || !unchanged)
    }

    /// Returns whether the conversation must be fetched, and counts the fetch. A conversation
    /// must be fetched if its list entry contains neither a date nor counts, because a change is
    /// then not visible. At most `maxFetchesToCompare` conversations are fetched for this
    /// reason.
    private mutating func reserveFetchIfNecessary(toCompare conversation: Conversation) -> Bool {
        let isComparable = [conversation.messageCount, conversation.unreadCount].contains { $0 != nil }
        guard conversation.updatedAt == nil, !isComparable, fetchesToCompare < Self.maxFetchesToCompare else {
            return false
        }
        fetchesToCompare += 1
        return true
    }

    /// The tolerance for comparisons with the server's time, because the dates are in whole seconds and the
    /// response takes time.
    private static let tolerance: Duration = .seconds(60)

    /// Sets `isOutOfOrder` if the conversation shows that the list is not sorted: the conversation has no
    /// time, is newer than the previous conversation, or has a time in the future. A time in the future
    /// means that the server's clock was ahead and has been corrected since. Newer changes then have
    /// earlier times and follow later in the list.
    private mutating func updateIsOutOfOrder(with conversation: Conversation) {
        guard let updatedAt = conversation.updatedAt else {
            isOutOfOrder = true
            return
        }
        if let newestExpected, updatedAt > newestExpected { isOutOfOrder = true }
        if let now, updatedAt > now + Self.tolerance { isOutOfOrder = true }
        newestExpected = updatedAt
    }
}
