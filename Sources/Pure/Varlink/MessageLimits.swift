/// What one message may cost its receiver.
public struct MessageLimits: Hashable, Sendable {
    /// Bytes of one message, without the NUL that ends it.
    public var bytes: Int
    /// Levels of objects and arrays, the message itself included.
    public var depth: Int

    public init(bytes: Int = 4 * 1024 * 1024, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}
