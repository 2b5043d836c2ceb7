import Testing

@testable import CutieAPI

struct PushPayloadTests {
    private func payload(_ json: String) throws -> PushPayload { try PushPayload(json: Array(json.utf8)) }

    @Test(
        arguments: [
            (#"{"conversation_id":"conv_1","aps":{"alert":"Hi"}}"#, "conv_1", nil, "Hi"),
            (
                #"{"conversation_id":"conv_1","message_id":"m","aps":{"alert":{"body":"B","title":"T"}}}"#,
                "conv_1", "m", "B"
            ),
            (#"{"cutie":{"conversation_id":"conv_2","message_id":"m2"}}"#, "conv_2", "m2", nil),
            (#"{"cutie":true,"aps":{"alert":7}}"#, nil, nil, nil),
            (#"{"cutie":{},"aps":[]}"#, nil, nil, nil),
            (
                #"{"conversation_id":"conv_1","cutie":{"conversation_id":"conv_2"},"aps":null}"#, "conv_1",
                nil, nil
            ),
            (#"{"conversation_id":7,"cutie":1}"#, nil, nil, nil),
        ] as [(String, String?, String?, String?)])
    func `A valid push payload is recognized, and its invalid fields are omitted`(
        json: String, conversation: String?, message: String?, text: String?
    ) throws {
        let payload = try payload(json)
        #expect(payload.conversation?.rawValue == conversation)
        #expect(payload.message?.rawValue == message)
        #expect(payload.text == text)
    }

    @Test(arguments: [
        #"{"aps":{"alert":"Another app"}}"#, "{}", "[]", "7", "null", #""cutie""#, #"{"cutie":null}"#,
        #"{"conversation_id":""}"#, #"{"conversation_id":"a b"}"#, #"{"conversation_id":["conv_1"]}"#,
    ])
    func `A push payload that is not from Cuti-E is rejected`(json: String) {
        #expect(throws: PushPayload.Problem.notOurs) { try payload(json) }
    }

    @Test(arguments: ["", "{", #"{"conversation_id":"conv_1""#, "\u{0}", "conversation_id=conv_1"])
    func `A push payload that is not JSON is rejected`(json: String) {
        #expect(throws: PushPayload.Problem.notJSON) { try payload(json) }
    }

    @Test func `A push payload that is too large or nested too deeply is rejected`() throws {
        let padding = String(repeating: " ", count: PushPayload.sizeLimit)
        #expect(throws: PushPayload.Problem.tooLarge) { try payload(padding + #"{"cutie":1}"#) }
        let deep = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
        #expect(throws: PushPayload.Problem.notJSON) { try payload(deep) }
        #expect(throws: PushPayload.Problem.notJSON) { try payload(#"{"cutie":1,"aps":\#(deep)}"#) }
        let long = String(repeating: "a", count: 257)
        #expect(throws: PushPayload.Problem.notOurs) { try payload(#"{"conversation_id":"\#(long)"}"#) }
    }

    @Test func `A push payload that is not UTF-8 is rejected`() {
        let bytes = Array(#"{"conversation_id":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8)
        #expect(throws: PushPayload.Problem.self) { try PushPayload(json: bytes) }
    }
}
