import EventSource
import Testing

@Suite struct EncodingTests {
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    static let hello = Array("data: Hello\n\n".utf8)

    @Test func `A byte order mark is removed at the start of the stream and nowhere else`() throws {
        #expect(try outputs([Self.mark + Self.hello]) == [event("Hello")])
        #expect(try outputs([Self.mark + Self.mark + Self.hello]) == [])
        #expect(try outputs([Self.hello + Self.mark + Self.hello]) == [event("Hello")])
        let inside = Array("data: ".utf8) + Self.mark + Array("x\n\n".utf8)
        #expect(try outputs([Self.mark + inside]) == [event("\u{FEFF}x")])
    }

    @Test func `A byte order mark may be split across chunks`() throws {
        let stream = Self.mark + Self.hello
        #expect(try outputs([Array(stream[..<1]), Array(stream[1...])]) == [event("Hello")])
        #expect(try outputs([Array(stream[..<2]), Array(stream[2...])]) == [event("Hello")])
        #expect(try outputs([[], [0xEF], [], [0xBB], [0xBF], [], Self.hello]) == [event("Hello")])
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB]] as [[UInt8]])
    func `An incomplete byte order mark is part of the text`(_ half: [UInt8]) throws {
        let stream = half + Array(": x\ndata: y\n\n".utf8)
        #expect(try outputs([stream]) == [event("y")])
        #expect(try outputs(stream.map { [$0] }) == [event("y")])
    }

    static let broken: [([UInt8], String)] = [
        ([0xFF], "\u{FFFD}"),
        ([0x61, 0x80, 0x62], "a\u{FFFD}b"),
        ([0xF0, 0x9F, 0x92], "\u{FFFD}"),
        ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
        ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ([0xE2, 0x82, 0x0D, 0x64, 0x61, 0x74, 0x61, 0x3A, 0xAC], "\u{FFFD}\n\u{FFFD}"),
    ]

    @Test(arguments: broken)
    func `Invalid UTF-8 in a stream is replaced`(_ bytes: [UInt8], _ text: String) throws {
        let stream = Array("data:".utf8) + bytes + [0x0A, 0x0A]
        #expect(try outputs([stream]) == [event(text)])
        #expect(try outputs(stream.map { [$0] }) == [event(text)])
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `CR, LF and CRLF are accepted as line endings`(_ end: String) throws {
        let lines = [":c", "id: 1", "event: e", "data: a", "data: b", "", "data: c", ""]
        let stream = lines.map { $0 + end }.joined()
        let expected = [.comment("c"), event("a\nb", type: "e", id: "1"), event("c", id: "1")]
        #expect(try outputs(stream) == expected)
        #expect(try outputs(stream.utf8.map { [$0] }) == expected)
    }

    @Test func `A stream may contain different line endings`() throws {
        #expect(
            try outputs("data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r") == [event("a\nb\nc"), event("d")])
    }

    @Test func `A CRLF that is split across two chunks is one line ending`() throws {
        let chunks = ["data: a\r", "\ndata: b\r\n", "\r", "", "\n", "data: c\r", "\r", "\n"].map {
            Array($0.utf8)
        }
        #expect(try outputs(chunks) == [event("a\nb"), event("c")])
    }

    @Test func `An event that ends in CR is delivered without waiting for the next chunk`() throws {
        #expect(try outputs("data: a\r\r") == [event("a")])
        #expect(try outputs("data: a\r\n\r") == [event("a")])
    }
}
