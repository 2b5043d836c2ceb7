/// The number of an account in the local store.
public struct AccountID: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static func < (left: AccountID, right: AccountID) -> Bool { left.rawValue < right.rawValue }
}
