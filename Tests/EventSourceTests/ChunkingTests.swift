import EventSource
import TestSupport
import Testing

@Suite struct ChunkingTests {
    /// A stream that contains each element of the format and each kind of line ending.
    static let sample: [UInt8] =
        [0xEF, 0xBB, 0xBF]
        + Array(
            ("""
            : welcome\r\nretry: 1500\r\n\r\nid: 1\r\nevent: message.created\r\ndata: {"a":\r\n\
            data: "€豆腐 👋"}\r\n\r\n\
            data\r\rid: 2\r: beat\rdata: cr\r\r\
            id\ndata: lf\ndata\ndata: \n\nid: nul\u{0}\ndata: kept\n\nevent: only\n\nunknown: x\n\r\n\
            data: unfinished
            """).utf8)
        + [0xFF, 0x0A]

    static let expected: [Output] = [
        .comment(" welcome"), .retry(milliseconds: 1500),
        event("{\"a\":\n\"€豆腐 👋\"}", type: "message.created", id: "1"), event("", id: "1"),
        .comment(" beat"), event("cr", id: "2"), event("lf\n\n"), event("kept"),
    ]

    @Test func `The sample stream in one chunk yields the expected events`() throws {
        #expect(try outputs([Self.sample]) == Self.expected)
    }

    @Test func `The sample stream in chunks of one byte yields the same events`() throws {
        #expect(try outputs(Self.sample.map { [$0] }) == Self.expected)
    }

    @Test func `The sample stream split at any byte yields the same events`() throws {
        for position in Self.sample.indices {
            let chunks = [Array(Self.sample[..<position]), Array(Self.sample[position...])]
            #expect(try outputs(chunks) == Self.expected, "split at \(position)")
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `The sample stream split at random bytes yields the same events`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed)
        #expect(try outputs(random.split(Self.sample)) == Self.expected)
    }

    /// Compares the parser with a reference implementation on random streams of bytes that are significant in
    /// the format.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `A random stream yields the events that the standard specifies`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let words = [
            "data", "id", "event", "retry", ":", ":", " ", "\n", "\n", "\r", "\r\n", "x", "12", "\u{0}", "é",
            "\n\n",
        ]
        var stream: [UInt8] = seed % 5 == 0 ? [0xEF, 0xBB, 0xBF] : []
        for _ in 0..<300 { stream += Array((words.randomElement(using: &random) ?? "").utf8) }
        if seed % 3 == 0 { stream.insert(0xC3, at: Int.random(in: 0..<stream.count, using: &random)) }
        #expect(try outputs(random.split(stream)) == Reference.outputs(stream))
    }

    @Test func `Any sequence of bytes is accepted as a chunk`() throws {
        var parser = EventStreamParser()
        #expect(try parser.consume("data: a\n".utf8) == [])
        #expect(try parser.consume(AnySequence(Array("data: b\n\n".utf8))) == [event("a\nb")])
        #expect(try parser.consume(repeatElement(0x0A, count: 3)) == [])
    }
}
