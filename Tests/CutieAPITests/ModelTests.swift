import CutieAPI
import Testing

@Suite struct ModelTests {
    @Test func `The only required field of a conversation is the ID`() throws {
        let conversation = try JSON.decode(Conversation.self, from: #"{"conversation_id":"c1"}"#.utf8)
        #expect(conversation == Conversation(id: "c1", status: .open))
    }

    @Test func `A field of the wrong type does not affect the other fields of a conversation`() throws {
        let conversation = try JSON.decode(
            Conversation.self,
            from: """
                {"conversation_id":"c1","status":"melting","title":7,"category":{},"unread_count":"2",\
                "message_count":3,"messages":[{"message_id":"m1"},{"text":"no id"},null,5],"tags":{},\
                "updated_at":1700000000,"surprise":[[[]]]}
                """.utf8)
        #expect(conversation.status == Status("melting"))
        #expect(conversation.title == nil)
        #expect(conversation.unreadCount == 2)
        #expect(conversation.messageCount == 3)
        #expect(conversation.messages?.map(\.id) == ["m1"])
        #expect(conversation.tags == nil)
        #expect(conversation.updatedAt == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test(arguments: [(Int.max, 1_000_000_000), (Int.min, 0), (7, 7)])
    func `Counts are limited, so that their sum cannot overflow`(_ reported: Int, _ count: Int) throws {
        let text = #"{"conversation_id":"c1","unread_count":N,"message_count":N,"total_unread":N}"#
        let reported = text.replacing("N", with: "\(reported)").utf8
        let conversation = try JSON.decode(Conversation.self, from: reported)
        #expect([conversation.unreadCount, conversation.messageCount] == [count, count])
        let read = try JSON.decode(Event.ConversationRead.self, from: reported)
        #expect([read.unreadCount, read.totalUnread] == [count, count])
    }

    @Test(arguments: [
        ("", false), (#","is_internal_note":false"#, false), (#","is_internal_note":0"#, false),
        (#","is_internal_note":null"#, false), (#","is_internal_note":true"#, true),
        (#","is_internal_note":1"#, true), (#","is_internal_note":"no""#, true),
        (#","is_internal_note":{}"#, true),
    ])
    func `A message is treated as an internal note if the flag for notes is unreadable`(
        _ flag: String, _ isNote: Bool
    )
        throws
    {
        let message = try JSON.decode(Message.self, from: "{\"message_id\":\"m1\"\(flag)}".utf8)
        #expect(message.isInternalNote == isNote)
    }

    @Test
    func `Unreadable conversations are omitted from a page, and a response without the list is rejected`()
        throws
    {
        let page = try JSON.decode(
            ConversationPage.self,
            from: #"{"conversations":[{"conversation_id":"c1"},{}],"total_unread":4}"#.utf8)
        #expect(page == ConversationPage(conversations: [Conversation(id: "c1")], totalUnread: 4))
        #expect(throws: UnreadableJSON.self) { try JSON.decode(ConversationPage.self, from: "{}".utf8) }
        #expect(throws: UnreadableJSON.self) {
            try JSON.decode(ConversationPage.self, from: #"{"conversations":{}}"#.utf8)
        }
    }

    @Test
    func `In the response for a new conversation, only the ID is required, and the time may be in seconds`()
        throws
    {
        #expect(
            try JSON.decode(CreatedConversation.self, from: #"{"conversation_id":"c1"}"#.utf8)
                == CreatedConversation(id: "c1"))
        let old = try JSON.decode(
            CreatedConversation.self, from: #"{"conversation_id":"c1","created_at":1700000000}"#.utf8)
        #expect(old.createdAt == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test func `Printing a token does not reveal the token`() {
        let token: DeviceToken = "hush"
        let registration = Registration.Response(deviceToken: token)
        var dumped = ""
        dump(registration, to: &dumped)
        #expect(!("\(token) \(registration) \(String(reflecting: registration))" + dumped).contains("hush"))
        #expect(token.rawValue == "hush")
    }

    @Test(arguments: [
        (String(repeating: "a", count: 31), false), (String(repeating: "a", count: 32), true),
        (String(repeating: "F0", count: 100), true), (String(repeating: "0", count: 201), false),
        (String(repeating: "a", count: 31) + "g", false), (String(repeating: "a", count: 31) + "\n", false),
        (String(repeating: "١", count: 40), false), ("", false),
    ])
    func `A push token has 32 to 200 hexadecimal digits`(_ text: String, _ isValid: Bool) {
        #expect((PushToken(rawValue: text) != nil) == isValid)
    }

    @Test func `The device context contains only the fields that its level allows`() throws {
        let facts = DeviceFacts(
            language: "de", country: "AT", appVersion: "1", osVersion: "12", deviceModel: "Box")
        #expect(DeviceContext.none.allowedFacts(in: facts) == DeviceFacts())
        #expect(DeviceContext.minimal.allowedFacts(in: facts) == DeviceFacts(appVersion: "1"))
        #expect(
            DeviceContext.standard.allowedFacts(in: facts)
                == DeviceFacts(language: "de", country: "AT", appVersion: "1", osVersion: "12"))
        #expect(DeviceContext.all.allowedFacts(in: facts) == facts)
        #expect(
            DeviceContext.fields([.deviceModel, .country]).allowedFacts(in: facts)
                == DeviceFacts(country: "AT", deviceModel: "Box"))
        #expect(DeviceContext(tier: "standard") == .standard)
        #expect(DeviceContext(tier: "everything") == nil)
    }

    @Test func `The client data of an attestation consists of the challenge and the key ID`() {
        let challenge = Attestation.Challenge(challenge: "abc", expiresAt: nil, expiresIn: nil)
        #expect(challenge.clientData(keyID: "k1") == "abc|k1")
    }
}
