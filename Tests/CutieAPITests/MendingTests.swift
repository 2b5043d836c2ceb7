import CutieAPI
import Testing

/// Tests that replacing an invalid character in a response leaves the text around it unchanged.
@Suite struct MendingTests {
    private func text(_ bytes: some Sequence<UInt8>) throws -> String {
        let (head, tail) = (#"{"message_id":"m1","message":""#, #""}"#)
        return try JSON.decode(Message.self, from: Array(head.utf8) + Array(bytes) + Array(tail.utf8)).text
    }

    @Test(arguments: [
        (#"Hi \ud83d"#, "Hi \u{FFFD}"), (#"\udE00 there"#, "\u{FFFD} there"),
        (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"\ud83dA\ude00"#, "\u{FFFD}A\u{FFFD}"),
        (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\ud83d\n"#, "\u{FFFD}\n"),
    ])
    func `An unpaired surrogate is replaced, and the characters around it are preserved`(
        json: String, words: String
    ) throws {
        #expect(try text(json.utf8) == words)
    }

    @Test(arguments: [
        (#"\ud83d\ude00"#, "😀"), (#"\\ud83d"#, #"\ud83d"#), (#"\u00e9 é 😀 \" \\"#, #"é é 😀 " \"#),
        (#"\\\u0041"#, #"\A"#),
    ])
    func `Replacing invalid characters leaves valid text unchanged`(json: String, words: String) throws {
        #expect(try text(json.utf8) == words)
    }

    @Test func `An invalid UTF-8 byte is replaced, and the other bytes are preserved`() throws {
        #expect(try text([0x48, 0xFF, 0x69]) == "H\u{FFFD}i")
        #expect(try text([0x48, 0xE2, 0x82] + Array(#" \ud83d!"#.utf8)) == "H\u{FFFD} \u{FFFD}!")
    }

    @Test(arguments: [#"{"message_id":"\"#, #"{"message_id":"\u"#, #"{"message_id":"\ud83d"#, #"\"#, ""])
    func `A string that ends within an escape sequence is rejected`(json: String) {
        #expect(throws: UnreadableJSON.self) { try JSON.decode(Message.self, from: json.utf8) }
    }

    @Test func `IDs that look alike but have different bytes are not equal`() {
        let (composed, apart) = (Conversation.ID("caf\u{E9}"), Conversation.ID("cafe\u{301}"))
        #expect(composed != apart)
        #expect(Set([composed, apart, composed]).count == 2)
    }
}
