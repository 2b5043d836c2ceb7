/// The unread counts of an account.
public struct Badge: Hashable, Sendable {
    /// The number of unread replies that arrived since the badge was last cleared; `nil` until the first sync
    /// is complete.
    public var total: Int?
    /// The server's count of unread messages; `nil` if unknown.
    public var unread: Int?

    public init(total: Int? = nil, unread: Int? = nil) {
        self.total = total
        self.unread = unread
    }

    /// Returns the sum of each count over all accounts; a sum is `nil` if any account's count is unknown.
    public static func sum(of badges: some Sequence<Badge>) -> Badge {
        badges.reduce(Badge(total: 0, unread: 0), +)
    }

    /// Returns the sums of two accounts; a sum is `nil` if either account's value is unknown.
    public static func + (left: Badge, right: Badge) -> Badge {
        Badge(total: sumIfKnown(left.total, right.total), unread: sumIfKnown(left.unread, right.unread))
    }

    private static func sumIfKnown(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return nil }
        return left + right
    }
}
