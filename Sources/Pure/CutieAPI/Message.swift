/// One message of a conversation.
public struct Message: Hashable, Sendable, Codable {
    public typealias ID = Identifier<Message>

    public var id: ID
    public var conversation: Conversation.ID
    public var senderType: SenderType
    public var senderID: String?
    public var senderName: String?
    public var senderAvatarURL: String?
    public var text: String
    /// `text` is the only type known today.
    public var type: String
    /// Between admins: never shown, counted or stored on a device, even if a server leaks one.
    public var isInternalNote: Bool
    public var createdAt: Timestamp

    public init(
        id: ID, conversation: Conversation.ID, senderType: SenderType, senderID: String? = nil,
        senderName: String? = nil, senderAvatarURL: String? = nil, text: String, type: String = "text",
        isInternalNote: Bool = false, createdAt: Timestamp
    ) {
        self.id = id
        self.conversation = conversation
        self.senderType = senderType
        self.senderID = senderID
        self.senderName = senderName
        self.senderAvatarURL = senderAvatarURL
        self.text = text
        self.type = type
        self.isInternalNote = isInternalNote
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id = "message_id"
        case conversation = "conversation_id"
        case senderType = "sender_type"
        case senderID = "sender_id"
        case senderName = "sender_name"
        case senderAvatarURL = "sender_avatar_url"
        case text = "message"
        case type = "message_type"
        case isInternalNote = "is_internal_note"
        case createdAt = "created_at"
    }

    /// Only the id is required: everything else has a meaning when it is missing. A note flag that
    /// cannot be read counts as set, because showing a note is worse than losing a message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        conversation = container.lenient(.conversation) ?? ""
        senderType = container.lenient(.senderType) ?? .admin
        senderID = container.lenient(.senderID)
        senderName = container.lenient(.senderName)
        senderAvatarURL = container.lenient(.senderAvatarURL)
        text = container.lenient(.text) ?? ""
        type = container.lenient(.type) ?? "text"
        isInternalNote = try container.decodeNoteFlag(.isInternalNote)
        createdAt = container.lenient(.createdAt) ?? Timestamp(milliseconds: 0)
    }
}

extension KeyedDecodingContainer {
    /// `true`, `1` and anything unreadable are a note; missing, null, `false` and `0` are none.
    fileprivate func decodeNoteFlag(_ key: Key) throws -> Bool {
        guard contains(key), try !decodeNil(forKey: key) else { return false }
        if let flag = try? decode(Bool.self, forKey: key) { return flag }
        return (try? decode(Int.self, forKey: key)) != 0
    }
}
