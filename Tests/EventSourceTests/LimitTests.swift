import EventSource
import Testing

@Suite struct LimitTests {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `An event whose size equals the limit is accepted, and a larger event is rejected`() throws {
        let fits = Self.bytes("data:" + String(repeating: "x", count: 95) + "\n\n")
        let over = Self.bytes("data:" + String(repeating: "x", count: 96) + "\n\n")
        #expect(try outputs([fits, fits], limit: 100).count == 2)
        #expect(try outputs((fits + fits).map { [$0] }, limit: 100).count == 2)
        #expect(throws: EventTooLarge.self) { try outputs([over], limit: 100) }
        #expect(throws: EventTooLarge.self) { try outputs(over.map { [$0] }, limit: 100) }
    }

    @Test(arguments: ["data: x\n", "data\n", "id: 1\n", "event: e\n", "unknown: y\n", "retry: 1\n"])
    func `All lines of an event together count toward the size limit`(_ line: String) throws {
        let chunks = Array(repeating: Self.bytes(line), count: 100)
        #expect(throws: EventTooLarge.self) { try outputs(chunks, limit: 200) }
        #expect(throws: EventTooLarge.self) { try outputs([Array(chunks.joined())], limit: 200) }
    }

    @Test(arguments: ["data: ", ": ", "", "id: "])
    func `The length of a line without a line ending is limited`(_ start: String) throws {
        var parser = EventStreamParser(limit: 1000)
        let result = Result { () throws(EventTooLarge) in
            _ = try parser.consume(Self.bytes(start))
            for _ in 0..<1001 { _ = try parser.consume([0x78]) }
        }
        #expect(throws: EventTooLarge(limit: 1000)) { try result.get() }
    }

    @Test func `The size limit applies to each comment separately`() throws {
        let comment = Self.bytes(":" + String(repeating: "c", count: 90) + "\n")
        let stream =
            Self.bytes("data: a\n") + Array(repeatElement(comment, count: 50).joined()) + Self.bytes("\n")
        #expect(try outputs([stream], limit: 100).count == 51)
        #expect(try outputs(stream.map { [$0] }, limit: 100).count == 51)
    }

    @Test func `Events before an event that is too large are returned, and all further input is rejected`()
        throws
    {
        var parser = EventStreamParser(limit: 50)
        var outputs: [Output] = []
        let stream = Self.bytes("id: 1\ndata: a\n\ndata: " + String(repeating: "x", count: 60))
        #expect(throws: EventTooLarge.self) { try parser.consume(stream, into: &outputs) }
        #expect(outputs == [event("a", id: "1")])
        #expect(parser.lastEventID == "1")
        #expect(throws: EventTooLarge.self) { try parser.consume(Self.bytes("\n\ndata: b\n\n")) }
    }

    @Test func `The default size limit of an event is 8 MiB, and the error states the limit`() throws {
        var parser = EventStreamParser()
        let piece = [UInt8](repeating: 0x78, count: 1 << 20)
        _ = try parser.consume(Self.bytes("data: "))
        for _ in 0..<7 { #expect(try parser.consume(piece) == []) }
        #expect(throws: EventTooLarge(limit: 8_388_608)) { try parser.consume(piece) }
        #expect(EventTooLarge(limit: 8_388_608).description.contains("8388608 bytes"))
    }
}
