import CutieAPI
import Testing

/// Tests of all response fields in each JSON form that servers use.
@Suite struct AnswerFieldTests {
    @Test(arguments: AnswerSample.all)
    func `Counts, times and flags may be encoded as strings`(_ sample: AnswerSample) throws {
        let expected = try sample.read(sample.json)
        #expect(expected.unreadable.isEmpty)
        for place in sample.json.leaves {
            guard let text = sample.json[place].asText else { continue }
            let answer = try sample.read(sample.json.replacing(place, with: text))
            #expect(answer == expected, "\(sample.name) \(place)")
        }
    }

    @Test(arguments: AnswerSample.all)
    func `An ID may be a number, but a number in any other string field is recorded as unreadable`(
        _ sample: AnswerSample
    )
        throws
    {
        for place in sample.json.leaves {
            guard case .text = sample.json[place] else { continue }
            guard let number = try? sample.read(sample.json.replacing(place, with: .number("42"))) else {
                continue
            }
            let digits = try sample.read(sample.json.replacing(place, with: .text("42")))
            #expect(number == digits || !number.unreadable.isEmpty, "\(sample.name) \(place)")
        }
    }

    @Test func `IDs may be encoded as numbers`() throws {
        let text = #"{"message_id":7,"conversation_id":8,"sender_id":9,"message":"Hi","title":1}"#
        let message = try JSON.decode(Message.self, from: text.utf8)
        #expect(message.id == "7" && message.conversation == "8" && message.senderID == "9")
    }

    @Test(arguments: AnswerSample.all)
    func `A null value is treated as a missing value`(_ sample: AnswerSample) {
        for place in sample.json.leaves {
            let null = try? sample.read(sample.json.replacing(place, with: .null))
            let missing = try? sample.read(sample.json.replacing(place, with: nil))
            #expect(null?.value == missing?.value, "\(sample.name) \(place)")
        }
    }

    @Test(arguments: AnswerSample.all)
    func `An unreadable required value makes a response invalid; an unreadable optional value is recorded`(
        _ sample: AnswerSample
    ) {
        for place in sample.json.leaves {
            guard let answer = try? sample.read(sample.json.replacing(place, with: .object([:]))) else {
                continue
            }
            #expect(!answer.unreadable.isEmpty, "\(sample.name) \(place)")
        }
    }

    @Test(arguments: [
        ("3", 3), ("\"3\"", 3), ("3.0", 3), ("\"3.0\"", 3), ("\"-3\"", 0), ("3e0", 3), ("null", nil),
        ("\"\"", nil), ("\"three\"", nil), ("\"3 \"", nil), ("\"0x3\"", nil), ("\"+3\"", nil), ("3.5", nil),
        ("\"3,5\"", nil), ("true", nil), ("[3]", nil), ("\"NaN\"", nil), ("\"1e999\"", nil),
    ])
    func `A count is decoded if its JSON form is unambiguous`(json: String, count: Int?) throws {
        let text = #"{"conversations":[],"total_unread":\#(json)}"#
        let unreadable = UnreadableParts()
        let page = try JSON.decode(
            ConversationPage.self, from: text.utf8, recordingUnreadablePartsIn: unreadable)
        #expect(page.totalUnread == count)
        let isNoted = count == nil && json != "null"
        #expect(unreadable.drain().map(\.path) == (isNoted ? ["total_unread"] : []))
    }

    @Test(arguments: [
        ("1700000000000", 1_700_000_000_000), ("\"1700000000000\"", 1_700_000_000_000),
        ("\"1700000000\"", 1_700_000_000_000), ("\"1700000000.25\"", 1_700_000_000_250),
        ("1700000000000.0", 1_700_000_000_000), ("\"2023-11-14T22:13:20Z\"", 1_700_000_000_000),
        ("\"2023-11-14T23:13:20.5+01:00\"", 1_700_000_000_500),
        ("\"2023-11-14 20:43:20-01:30\"", 1_700_000_000_000),
        ("\"2024-02-29T00:00:00Z\"", 1_709_164_800_000), ("\"1969-12-31T23:59:59Z\"", -1000),
        ("\"2023-11-14T22:13:20\"", nil), ("\"2023-11-14\"", nil), ("\"2023-13-14T22:13:20Z\"", nil),
        ("\"2023-11-14T22:13:20+0100\"", nil), ("\"yesterday\"", nil), ("{}", nil), ("\"\"", nil),
    ])
    func `A time is decoded if its JSON form is unambiguous`(json: String, milliseconds: Int64?) throws {
        let text = #"{"conversation_id":"c","updated_at":\#(json)}"#
        let unreadable = UnreadableParts()
        let conversation = try JSON.decode(
            Conversation.self, from: text.utf8, recordingUnreadablePartsIn: unreadable)
        #expect(conversation.updatedAt?.milliseconds == milliseconds)
        #expect(unreadable.drain().map(\.path) == (milliseconds == nil ? ["updated_at"] : []))
    }

    @Test(arguments: [
        ("true", true), ("\"true\"", true), ("1", true), ("\"1\"", true), ("\"True\"", true),
        ("false", false),
        ("\"false\"", false), ("0", false), ("\"0\"", false), ("null", false),
        // Any value other than an explicit false counts as true, because an internal note must never be
        // shown.
        ("2", true), ("\"no\"", true), ("{}", true),
    ])
    func `A flag is decoded if its JSON form is unambiguous`(json: String, isNote: Bool) throws {
        let text = #"{"message_id":"m","is_internal_note":\#(json)}"#
        #expect(try JSON.decode(Message.self, from: text.utf8).isInternalNote == isNote)
    }

    @Test func `Each omitted list element is recorded once, and the recorded path omits the element's index`()
        throws
    {
        let text = """
            {"conversations":[{"conversation_id":"a"},{"title":"no id"},{"conversation_id":{}},7,\
            {"conversation_id":"b","messages":[{"message_id":[]}]}]}
            """
        let unreadable = UnreadableParts()
        let page = try JSON.decode(
            ConversationPage.self, from: text.utf8, recordingUnreadablePartsIn: unreadable)
        #expect(page.conversations.map(\.id) == ["a", "b"])
        #expect(
            unreadable.drain().map { "\($0)" } == [
                "conversations[].conversation_id is missing",
                "conversations[].conversation_id has the wrong type",
                "conversations[] has the wrong type",
                "conversations[].messages[].message_id has the wrong type",
            ])
        #expect(unreadable.drain().isEmpty)
    }

    @Test(arguments: [
        #"{"id":"1","type":"conversation.read","data":{"conversation_id":"c","unread_count":"none"}}"#,
        #"{"id":"1","type":"message.created","data":{"conversation_id":"c"}}"#, "no JSON",
    ])
    func `An unreadable event is recorded, and the next poll fetches its content`(json: String) throws {
        let unreadable = UnreadableParts()
        let event = try #require(
            Event(
                streamData: json.utf8, type: "message.created", id: "1",
                recordingUnreadablePartsIn: unreadable))
        #expect(event.payload.isUnreadable)
        #expect(!unreadable.drain().isEmpty)
    }
}
