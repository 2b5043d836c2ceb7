/// The counts of one account, folded from its events.
public struct Badge: Hashable, Sendable {
    /// Replies that are unread and came since the last clear; nil until the first sync is complete.
    public var total: Int?
    /// The server's count of unread messages; nil until it is known.
    public var unread: Int?

    public init(total: Int? = nil, unread: Int? = nil) {
        self.total = total
        self.unread = unread
    }

    /// The sum of all accounts; unknown while one of them is.
    public static func sum(_ badges: some Sequence<Badge>) -> Badge {
        badges.reduce(Badge(total: 0, unread: 0)) { sum, next in
            Badge(total: added(sum.total, next.total), unread: added(sum.unread, next.unread))
        }
    }

    private static func added(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return nil }
        return left + right
    }
}
