public struct Message: Hashable, Sendable, Codable {
    public typealias ID = Identifier<Message>

    public var id: ID
    public var conversation: Conversation.ID
    public var senderType: SenderType
    public var senderID: String?
    public var senderName: String?
    public var senderAvatarURL: String?
    public var text: String
    /// The type of the message; `text` is the only known type.
    public var type: String
    /// Whether only support staff may read the message. A device never shows, counts or stores such a note,
    /// even if the server sends one by mistake.
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

    private enum CodingKeys: String, CodingKey {
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

    /// Decodes a message. Only the ID is required; all other fields have default values. A message with an
    /// invalid note flag is treated as a note: losing a message is better than showing an internal note to
    /// the user.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        conversation = container.decodeIfReadable(.conversation) ?? ""
        senderType = container.decodeIfReadable(.senderType) ?? .admin
        senderID = container.decodeIDIfReadable(.senderID)
        senderName = container.decodeIfReadable(.senderName)
        senderAvatarURL = container.decodeIfReadable(.senderAvatarURL)
        text = container.decodeIfReadable(.text) ?? ""
        type = container.decodeIfReadable(.type) ?? "text"
        isInternalNote = try container.decodeNoteFlag(.isInternalNote)
        createdAt = container.decodeIfReadable(.createdAt) ?? Timestamp(milliseconds: 0)
    }
}

extension KeyedDecodingContainer {
    /// Returns `true` for `true`, `1` and an invalid value; `false` for a missing value, null, `false` and
    /// `0`.
    fileprivate func decodeNoteFlag(_ key: Key) throws -> Bool {
        guard contains(key), try !decodeNil(forKey: key) else { return false }
        return decodeIfReadable(key, as: Bool.self) ?? true
    }
}

public struct NewMessage: RequestBody {
    public var text: String
    /// The user's name; `nil` for support staff.
    public var userName: String?
    /// Whether only support staff may read the message; `nil` if a user sends the message.
    public var isInternalNote: Bool?

    public init(text: String, userName: String? = nil, isInternalNote: Bool? = nil) {
        self.text = text
        self.userName = userName
        self.isInternalNote = isInternalNote
    }

    private enum CodingKeys: String, CodingKey {
        case text = "message"
        case userName = "user_name"
        case isInternalNote = "internal_note"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        userName = container.decodeIfReadable(.userName)
        isInternalNote = container.decodeIfReadable(.isInternalNote)
    }
}

/// The body of the call `mark-all-read`. The field `up_to` is an extension of the API contract; servers
/// without the extension mark all messages.
public struct ReadMark: RequestBody {
    /// The newest message to mark as read; `nil` to mark all messages.
    public var upTo: Message.ID?

    public init(upTo: Message.ID?) { self.upTo = upTo }

    private enum CodingKeys: String, CodingKey {
        case upTo = "up_to"
    }

    /// The counts after the messages were marked as read. All fields are optional in the API contract; only
    /// servers with the extension return `up_to`.
    public struct Response: Hashable, Sendable, Codable {
        public var upTo: Message.ID?
        public var unreadCount: Int?
        public var totalUnread: Int?

        public init(upTo: Message.ID?, unreadCount: Int?, totalUnread: Int?) {
            self.upTo = upTo
            self.unreadCount = unreadCount
            self.totalUnread = totalUnread
        }

        private enum CodingKeys: String, CodingKey {
            case upTo = "up_to"
            case unreadCount = "unread_count"
            case totalUnread = "total_unread"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            upTo = container.decodeIfReadable(.upTo)
            unreadCount = container.decodeCountIfReadable(.unreadCount)
            totalUnread = container.decodeCountIfReadable(.totalUnread)
        }
    }
}
