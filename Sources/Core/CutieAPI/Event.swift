/// A change in a device's conversations, from the stream or a long poll. Source: the events extension of the
/// API contract.
public struct Event: Hashable, Sendable {
    public typealias ID = Identifier<Event>

    /// Opaque; only the server knows the order. An id can come again after a reconnect.
    public var id: ID
    /// The type as sent by the server, also if this version does not know it.
    public var type: String
    public var createdAt: Timestamp
    public var payload: Payload

    public init(id: ID, createdAt: Timestamp, payload: Payload) {
        self.id = id
        self.type = payload.type
        self.createdAt = createdAt
        self.payload = payload
    }

    /// The content of an event, one case per type.
    public enum Payload: Hashable, Sendable {
        case messageCreated(MessageCreated)
        case conversationUpdated(Conversation)
        case conversationRead(ConversationRead)
        case badge(totalUnread: Int)
        case deviceLinked(LinkChange)
        case deviceUnlinked(LinkChange)
        case reset
        /// The type is unknown to this version, or the data cannot be read.
        case unknown(type: String)
    }

    /// A message was added to a conversation.
    public struct MessageCreated: Hashable, Sendable, Codable {
        public var conversationID: Conversation.ID
        public var message: Message
        public var unreadCount: Int?
        public var totalUnread: Int?
        public var conversation: Summary?

        public init(
            conversationID: Conversation.ID, message: Message, unreadCount: Int?, totalUnread: Int?,
            conversation: Summary?
        ) {
            self.conversationID = conversationID
            self.message = message
            self.unreadCount = unreadCount
            self.totalUnread = totalUnread
            self.conversation = conversation
        }
    }

    /// The conversation's fields in a `message.created`.
    public struct Summary: Hashable, Sendable, Codable {
        public var title: String?
        public var category: Category?
        public var priority: Priority?
        public var status: Status?

        public init(title: String?, category: Category?, priority: Priority?, status: Status?) {
            self.title = title
            self.category = category
            self.priority = priority
            self.status = status
        }
    }

    /// The conversation was read on this or a linked device.
    public struct ConversationRead: Hashable, Sendable, Codable {
        public var conversationID: Conversation.ID
        public var unreadCount: Int
        public var totalUnread: Int?

        public init(conversationID: Conversation.ID, unreadCount: Int, totalUnread: Int?) {
            self.conversationID = conversationID
            self.unreadCount = unreadCount
            self.totalUnread = totalUnread
        }
    }

    /// A device joined or left the shared inbox.
    public struct LinkChange: Hashable, Sendable, Codable {
        public var groupID: String?
        public var deviceID: DeviceID
        public var deviceName: String?

        public init(groupID: String?, deviceID: DeviceID, deviceName: String?) {
            self.groupID = groupID
            self.deviceID = deviceID
            self.deviceName = deviceName
        }
    }

    /// Creates the event of one stream record. `data` holds the whole event. If `data` cannot be read, the
    /// record's own id and type make an `.unknown` event, so that the cursor still advances. `nil` if there
    /// is no id at all.
    public init?(
        streamData data: some Sequence<UInt8>, type: String, id: String,
        noting unreadable: UnreadableParts? = nil
    ) {
        if let event = Event(usual: data) {
            self = event
        } else if let event = try? JSON.decode(Event.self, from: data, noting: unreadable) {
            self = event
        } else if !id.isEmpty {
            self.init(
                id: ID(id), createdAt: Timestamp(milliseconds: 0),
                payload: type == "reset" ? .reset : .unknown(type: type))
        } else {
            return nil
        }
    }
}

extension Event.Payload {
    /// The types that this version knows; an `.unknown` event with one of them has unreadable data.
    private static let knownTypes: Set = [
        "message.created", "conversation.updated", "conversation.read", "badge", "device.linked",
        "device.unlinked",
    ]

    /// Whether the type is known but the data cannot be read, so that only a poll can fetch the change.
    public var isUnreadable: Bool {
        if case .unknown(let type) = self { Self.knownTypes.contains(type) } else { false }
    }

    public var type: String {
        switch self {
        case .messageCreated: "message.created"
        case .conversationUpdated: "conversation.updated"
        case .conversationRead: "conversation.read"
        case .badge: "badge"
        case .deviceLinked: "device.linked"
        case .deviceUnlinked: "device.unlinked"
        case .reset: "reset"
        case .unknown(let type): type
        }
    }
}

/// The answer of a long poll. An empty page after the timeout is normal.
public struct EventPage: Hashable, Sendable, Codable {
    public var events: [Event]
    /// The next value for `after`; `nil` if the server sent none.
    public var cursor: Event.ID?

    public init(events: [Event], cursor: Event.ID?) {
        self.events = events
        self.cursor = cursor
    }

    private enum CodingKeys: String, CodingKey {
        case events, cursor
    }

    /// Skips events that cannot be read; throws if there is no list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        events = try container.requiredList(.events)
        cursor = container.lenient(.cursor)
    }
}
