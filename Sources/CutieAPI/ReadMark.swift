/// Marks a conversation read. The bound is an extension: servers that do not know it mark everything.
public struct ReadMark: RequestBody {
    /// The newest message that it covers; nil covers all.
    public var upTo: Message.ID?

    public init(upTo: Message.ID?) { self.upTo = upTo }

    enum CodingKeys: String, CodingKey {
        case upTo = "up_to"
    }
}
