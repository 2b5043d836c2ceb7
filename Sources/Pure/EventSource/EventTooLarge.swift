/// An event or a comment went over the limit before it ended.
public struct EventTooLarge: Error, Hashable, Sendable {
    /// Bytes.
    public let limit: Int

    public init(limit: Int) { self.limit = limit }
}

extension EventTooLarge: CustomStringConvertible {
    public var description: String { "the server sent an event of more than \(limit) bytes" }
}
