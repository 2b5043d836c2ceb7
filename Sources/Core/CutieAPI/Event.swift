/// A change in a device's conversations, from the stream or a long poll (the events extension of the API
/// contract).
public struct Event: Hashable, Sendable {
    public typealias ID = Identifier<Event>

    /// An opaque ID. Only the server can compare IDs by age. After a reconnect, the server may send an event
    /// again.
    public var id: ID
    /// The type as sent by the server, even if this version does not know the type.
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
    public indirect enum Payload: Hashable, Sendable {
        case messageCreated(MessageCreated)
        case conversationUpdated(Conversation)
        case conversationRead(ConversationRead)
        case badge(totalUnread: Int)
        case deviceLinked(LinkChange)
        case deviceUnlinked(LinkChange)
        case reset
        /// An event with a type that this version does not know, or with invalid data.
        case unknown(type: String)
    }

    /// The data of `message.created`: a message was added to a conversation.
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

    /// The fields of the conversation in a `message.created` event.
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

    /// The data of `conversation.read`: the conversation was read on this or a linked device.
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

    /// The data of `device.linked` and `device.unlinked`: a device joined or left the shared inbox.
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

    /// Creates an event from one record of a stream; `data` contains the entire event. If `data` cannot be
    /// decoded, creates an `.unknown` event (or `.reset`) with the record's `id` and `type`, so that the
    /// cursor still advances. Returns `nil` if neither `data` nor the record contains an ID.
    public init?(
        streamData data: some Sequence<UInt8>, type: String, id: String,
        recordingUnreadablePartsIn unreadable: UnreadableParts? = nil
    ) {
        if let event = Event(usual: data) {
            self = event
        } else if let event = try? JSON.decode(Event.self, from: data, recordingUnreadablePartsIn: unreadable)
        {
            self = event
        } else if !id.isEmpty {
            self.init(
                id: ID(id), createdAt: Timestamp(milliseconds: 0),
                payload: type == EventType.reset.rawValue ? .reset : .unknown(type: type))
        } else {
            return nil
        }
    }
}

/// The types of events that this version knows, as written in the JSON.
enum EventType: String {
    case messageCreated = "message.created"
    case conversationUpdated = "conversation.updated"
    case conversationRead = "conversation.read"
    case badge
    case deviceLinked = "device.linked"
    case deviceUnlinked = "device.unlinked"
    case reset
}

extension Event.Payload {
    /// Whether the type is known but the data is invalid, so that the change must be fetched with a poll.
    public var isUnreadable: Bool {
        if case .unknown(let type) = self { EventType(rawValue: type) != nil } else { false }
    }

    public var type: String {
        switch self {
        case .messageCreated: EventType.messageCreated.rawValue
        case .conversationUpdated: EventType.conversationUpdated.rawValue
        case .conversationRead: EventType.conversationRead.rawValue
        case .badge: EventType.badge.rawValue
        case .deviceLinked: EventType.deviceLinked.rawValue
        case .deviceUnlinked: EventType.deviceUnlinked.rawValue
        case .reset: EventType.reset.rawValue
        case .unknown(let type): type
        }
    }
}

/// The response to a long poll; empty after a timeout.
public struct EventPage: Hashable, Sendable, Codable {
    public var events: [Event]
    /// The value of `after` for the next request; `nil` if the server sent none.
    public var cursor: Event.ID?

    public init(events: [Event], cursor: Event.ID?) {
        self.events = events
        self.cursor = cursor
    }

    private enum CodingKeys: String, CodingKey {
        case events, cursor
    }

    /// Skips events that cannot be decoded. Throws if the response has no list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        events = try container.decodeRequiredList(.events)
        cursor = container.decodeIfReadable(.cursor)
    }
}
