public import CutieAPI

/// The number of an account in this database.
public struct AccountID: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static func < (left: AccountID, right: AccountID) -> Bool { left.rawValue < right.rawValue }
}

/// One App ID at one API address, as the store knows it.
public struct AccountRecord: Hashable, Sendable {
    public let id: AccountID
    public let name: String
    public let appID: String
    public let apiURL: String
    public let deviceID: DeviceID
    /// Only in a database of a version that kept tokens in it.
    public var formerToken: String?
    /// The last event processed.
    public var cursor: Event.ID?
    /// When the first sync was complete; nil before.
    public var syncedAt: Timestamp?
    /// The server's total; nil = not known yet.
    public var unread: Int?
    public var lastEventAt: Timestamp?
}
