/// One event of a stream.
public struct StreamEvent: Hashable, Sendable {
    /// `message` where the server names none.
    public var type: String
    /// Lines are joined by line feeds; invalid UTF-8 is replaced by U+FFFD.
    public var data: String
    /// The last id the server gave, here or earlier; empty where it gave none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
