import CutieAPI
import Testing

@Suite struct EventTests {
    static func read(_ json: String) throws -> Event { try JSON.decode(from: json.utf8) }

    static let message = """
        {"message_id":"m1","conversation_id":"c1","sender_type":"admin","message":"Hello",\
        "message_type":"text",\
        "is_internal_note":false,"created_at":1700000000000,"sender_name":"Ann"}
        """

    @Test func `All fields of a reply event are decoded`() throws {
        let event = try Self.read(
            """
            {"id":"17","type":"message.created","created_at":1700000000001,"data":{"conversation_id":"c1",\
            "message":\(Self.message),"unread_count":2,"total_unread":5,\
            "conversation":{"title":"T","category":"bug","priority":"urgent","status":"waiting_user"}}}
            """)
        #expect(event.id == "17")
        #expect(event.createdAt == Timestamp(milliseconds: 1_700_000_000_001))
        guard case .messageCreated(let data) = event.payload else {
            Issue.record("\(event.payload)")
            return
        }
        #expect(data.conversationID == "c1")
        #expect(data.message.text == "Hello")
        #expect(data.message.senderName == "Ann")
        #expect(data.unreadCount == 2)
        #expect(data.totalUnread == 5)
        #expect(
            data.conversation == .init(title: "T", category: .bug, priority: .urgent, status: .waitingUser))
    }

    static let usual = [
        #"{"id":"1","type":"message.created","created_at":1700000000,"data":{"conversation_id":"c","message":\#(message)}}"#,
        #" {"data":{"message":{"message_id":"m"},"conversation_id":"c","unread_count":-3,"total_unread":"#
            + #"99999999999,"conversation":null,"more":[1,{"a":[]},"\u00e4",true]},"type":"message.created","id":""}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","conversation":{},"message":"#
            + #"{"message_id":"m","message":"a\n\"\\\/\t\r\b\f\u20ac 😀","sender_type":null,"created_at":0}}}"#,
    ]

    @Test(arguments: [
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m","message":"\ud83d\ude00 \u00e9\n\/ é"}}}"#,
        #"{"id":"1","type":"message.created","x":[-1.5e7,{"y":null}],"data":{"conversation_id":"c","message":{"message_id":"m"}}}"#,
    ])
    func `The fast path decodes all escape sequences, and skips the values of unknown members`(_ json: String)
        throws
    {
        #expect(try Event(usual: json.utf8) == Self.read(json))
    }

    @Test(arguments: usual)
    func `The fast path and the general decoder decode an ordinary reply to the same value`(_ json: String)
        throws
    {
        #expect(try Event(usual: json.utf8) == Self.read(json))
    }

    @Test(arguments: [
        #"{"id":"1","type":"message.created","created_at":-9223372036854775808,"data":{}}"#,
        #"{"id":"1","type":"message.created","created_at":99999999999999999999,"data":{}}"#,
        #"{"id":"1","type":"badge","data":{"total_unread":1}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":7}}}"#,
        #"{"id":"1","id":"2","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m"}}}"#,
        #"{"i\u0064":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m"}}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"\ud83d"}}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m"}}} x"#,
        #"{"id":"1","type":"message.created","created_at":1.5,"data":{"conversation_id":"c","message":{"message_id":"m"}}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m","created_at":01}}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c","message":{"message_id":"m"},}}"#,
    ])
    func `The fast path does not decode unusual events, so the general decoder is used`(_ json: String) {
        #expect(Event(usual: json.utf8) == nil)
    }

    @Test(arguments: [
        #"{"conversation_id":"c1","message":{"message_id":"m1"}}"#,
        #"{"message":{"message_id":"m1","conversation_id":"c1"}}"#,
        #"{"conversation_id":"","message":{"message_id":"m1","conversation_id":"c1"},"unread_count":"x"}"#,
    ])
    func `The conversation ID of a reply event may be in either of two fields`(_ data: String) throws {
        let event = try Self.read(#"{"id":"1","type":"message.created","created_at":1,"data":\#(data)}"#)
        guard case .messageCreated(let created) = event.payload else {
            Issue.record("\(event.payload)")
            return
        }
        #expect(created.conversationID == "c1")
        #expect(created.message.conversation == "c1")
        #expect(created.unreadCount == nil)
    }

    @Test func `A read event without a count means that all messages are read`() throws {
        let event = try Self.read(#"{"id":"1","type":"conversation.read","data":{"conversation_id":"c1"}}"#)
        #expect(
            event.payload
                == .conversationRead(.init(conversationID: "c1", unreadCount: 0, totalUnread: nil)))
    }

    static let unreadable = [
        #""type":"message.created""#,
        #""type":"message.created","data":null"#,
        #""type":"message.created","data":[]"#,
        #""type":"message.created","data":{"conversation_id":"c1","message":{"text":"no id"}}"#,
        #""type":"message.created","data":{"message":{"message_id":"m1"}}"#,
        #""type":"conversation.updated","data":{"conversation":"c1"}"#,
        #""type":"conversation.read","data":{}"#,
        #""type":"badge","data":{"total_unread":"many"}"#,
        #""type":"badge","data":{"total_unread":1e30}"#,
        #""type":"device.linked","data":{}"#,
        #""type":"conversation.merged","data":{"a":1}"#,
        #""type":"","data":{}"#,
    ]

    @Test(arguments: unreadable)
    func `An unreadable event becomes an unknown event with the same type and ID`(_ rest: String) throws {
        let event = try Self.read("{\"id\":\"9\",\(rest)}")
        #expect(event.id == "9")
        #expect(event.payload == .unknown(type: event.type))
        #expect(rest.contains("\"type\":\"\(event.type)\""))
    }

    @Test(arguments: [#"{"id":"9"}"#, #"{"id":"9","type":7,"created_at":"yesterday"}"#])
    func `An event that contains only an ID is valid`(_ json: String) throws {
        let event = try Self.read(json)
        #expect(event == Event(id: "9", createdAt: Timestamp(milliseconds: 0), payload: .unknown(type: "")))
    }

    @Test(arguments: ["{}", #"{"id":null}"#, #"{"type":"reset"}"#, "[]", "7", "", "{"])
    func `A JSON value without an ID is not an event`(_ json: String) {
        #expect(throws: UnreadableJSON.self) { try Self.read(json) }
    }

    static let payloads: [Event.Payload] = [
        .messageCreated(
            .init(
                conversationID: "c1",
                message: Message(
                    id: "m1", conversation: "c1", senderType: .admin, senderID: "a", senderName: "Ann",
                    senderAvatarURL: "https://example.org/a.png", text: "Hello\n\"you\" 👋",
                    createdAt: Timestamp(milliseconds: 1_700_000_000_000)),
                unreadCount: 1, totalUnread: 2,
                conversation: .init(title: nil, category: .other, priority: nil, status: .open))),
        .conversationUpdated(Conversation(id: "c1", status: Status("on_fire"))),
        .conversationRead(.init(conversationID: "c1", unreadCount: 3, totalUnread: nil)),
        .badge(totalUnread: 0),
        .deviceLinked(.init(groupID: "g", deviceID: "device_1", deviceName: "Phone")),
        .deviceUnlinked(.init(groupID: nil, deviceID: "device_1", deviceName: nil)),
        .reset,
        .unknown(type: "conversation.merged"),
    ]

    @Test(arguments: payloads)
    func `An encoded event is decoded to the same value`(_ payload: Event.Payload) throws {
        let event = Event(id: "5", createdAt: Timestamp(milliseconds: 1_700_000_000_000), payload: payload)
        #expect(try JSON.decode(Event.self, from: JSON.encode(event)) == event)
    }

    @Test func `The JSON keys of encoded events match the API contract`() throws {
        let linked = Event.LinkChange(groupID: "g", deviceID: "device_1", deviceName: "Phone")
        let event = Event(id: "5", createdAt: Timestamp(milliseconds: 7), payload: .deviceLinked(linked))
        let text = String(decoding: try JSON.encode(event), as: UTF8.self)
        #expect(
            text == """
                {"created_at":7,"data":{"device_id":"device_1","device_name":"Phone","group_id":"g"},\
                "id":"5","type":"device.linked"}
                """)
    }

    @Test func `An unreadable event in a stream still advances the cursor`() {
        let read = Event(streamData: #"{"id":"1","type":"reset"}"#.utf8, type: "other", id: "2")
        #expect(read?.id == "1")
        #expect(read?.payload == .reset)
        let broken = Event(streamData: "oops".utf8, type: "message.created", id: "2")
        #expect(broken?.id == "2")
        #expect(broken?.payload == .unknown(type: "message.created"))
        #expect(Event(streamData: "".utf8, type: "reset", id: "2")?.payload == .reset)
        #expect(Event(streamData: "oops".utf8, type: "badge", id: "") == nil)
    }

    @Test func `Unreadable elements on a page of events are omitted`() throws {
        let page = try JSON.decode(
            EventPage.self,
            from: #"{"events":[{"id":"1","type":"reset"},7,null,{"type":"badge"},{"id":"2"}],"cursor":"2"}"#
                .utf8)
        #expect(page.events.map(\.id) == ["1", "2"])
        #expect(page.cursor == "2")
    }

    @Test func `A page of events may be empty, but a response without a list is rejected`() throws {
        let empty = try JSON.decode(EventPage.self, from: #"{"events":null}"#.utf8)
        #expect(empty == EventPage(events: [], cursor: nil))
        #expect(throws: UnreadableJSON(path: "events", problem: .missing)) {
            try JSON.decode(EventPage.self, from: #"{"ok":true}"#.utf8)
        }
    }
}
