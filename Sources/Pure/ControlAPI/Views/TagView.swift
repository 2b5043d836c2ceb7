/// What support put on a conversation to find it again.
public struct TagView: Codable, Hashable, Sendable {
    public var tagId: String
    public var conversationId: String
    public var tagName: String
    public var tagColor: String?

    public init(tagId: String, conversationId: String, tagName: String, tagColor: String? = nil) {
        self.tagId = tagId
        self.conversationId = conversationId
        self.tagName = tagName
        self.tagColor = tagColor
    }
}
