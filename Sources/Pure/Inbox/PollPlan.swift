public import CutieAPI

/// Reads the pages of a poll, newest first, and decides when enough was read and what to fetch.
public struct PollPlan: Sendable {
    /// What must be fetched, oldest change first: a poll cut off in the middle has then left the
    /// newest changes unfetched, where the next one looks first.
    public var changed: [Conversation] { listed.reversed() }
    private var listed: [Conversation] = []
    private var seen: Set<Conversation.ID> = []
    private var newestAllowed: Timestamp?
    /// What the server's clock shows; nil where it is not known.
    private let now: Timestamp?
    /// The list was not newest first: then every page must be read.
    public private(set) var orderBroken = false
    private let everything: Bool
    /// No person has so many conversations; a list without end would fill the memory.
    static let mostConversations = 20_000

    /// `everything`: reads all pages and takes every conversation (first sync, `reset`). `now`: by the server's
    /// clock.
    public init(everything: Bool, now: Timestamp? = nil) { (self.everything, self.now) = (everything, now) }

    /// Adds the next page; true where another one must be read. `isUnchanged`: as the last poll saw it.
    /// Only a poll moves that mark: a live event would hide with it what was lost before it.
    public mutating func add(
        _ page: [Conversation], limit: Int, isUnchanged: (Conversation) -> Bool
    ) -> Bool {
        var unchanged = true
        var known = true
        for conversation in page {
            checkOrder(of: conversation)
            guard seen.insert(conversation.id).inserted else { continue }
            known = false
            if everything || !isUnchanged(conversation) {
                listed.append(conversation)
                unchanged = false
            }
        }
        // A server that knows no offset gives the same page for ever.
        let more = page.count >= limit && !known && seen.count < Self.mostConversations
        return more && (everything || orderBroken || !unchanged)
    }

    /// The server's dates are whole seconds, and an answer takes its time.
    private static let slack: Duration = .seconds(60)

    /// `total_unread` and the order may both lie; a row newer than the one before it shows the order does. So does
    /// one of the server's own future: its clock was ahead, and what changed since is listed behind that.
    private mutating func checkOrder(of conversation: Conversation) {
        guard let updatedAt = conversation.updatedAt else {
            orderBroken = true
            return
        }
        if let newestAllowed, updatedAt > newestAllowed { orderBroken = true }
        if let now, updatedAt > now + Self.slack { orderBroken = true }
        newestAllowed = updatedAt
    }
}
