import Testing
import Varlink

@Suite struct MessageDecoderTests {
    private func messages(_ chunks: [String], limit: Int = 100) throws -> [String] {
        var decoder = MessageDecoder(limit: limit)
        var found: [String] = []
        for chunk in chunks {
            decoder.append(chunk.utf8)
            while let message = try decoder.nextMessage() {
                found.append(String(decoding: message, as: UTF8.self))
            }
        }
        return found
    }

    @Test(arguments: [
        (["{}\0"], ["{}"]),
        (["{}\0[]\0"], ["{}", "[]"]),
        (["{", "}", "\0"], ["{}"]),
        (["{}\0{", "}\0{"], ["{}", "{}"]),
        (["{}"], []),
        (["\0\0"], ["", ""]),
        ([""], []),
    ])
    func `Messages are split at NUL bytes regardless of how the data is divided into chunks`(
        chunks: [String], expected: [String]
    ) throws {
        #expect(try messages(chunks) == expected)
    }

    @Test func `A message whose size equals the limit is accepted, and a longer message is rejected`() throws
    {
        #expect(try messages(["12345\0"], limit: 5) == ["12345"])
        #expect(throws: MessageError.tooLong(limit: 5)) { try messages(["123456\0"], limit: 5) }
    }

    @Test func `A message that is too long is rejected before its end has arrived`() {
        #expect(throws: MessageError.tooLong(limit: 5)) { try messages(["123", "456"], limit: 5) }
    }

    @Test func `A message that arrives byte by byte is scanned only once`() throws {
        let length = 200_000
        var decoder = MessageDecoder(limit: length)
        for _ in 0..<length {
            decoder.append(CollectionOfOne(UInt8(ascii: "a")))
            try #require(try decoder.nextMessage() == nil)
        }
        #expect(decoder.isInsideMessage)
        decoder.append([0])
        #expect(try decoder.nextMessage()?.count == length)
        #expect(try decoder.nextMessage() == nil)
        #expect(!decoder.isInsideMessage)
    }
}
