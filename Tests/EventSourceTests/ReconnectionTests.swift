import EventSource
import Testing

@Suite struct ReconnectionTests {
    @Test func `After the connection ends, the last event ID and the retry time are still available`() throws
    {
        var parser = EventStreamParser()
        _ = try parser.consume("retry: 250\nid: a\ndata: x\n\nid: b\ndata: cut off".utf8)
        #expect(parser.lastEventID == "a")
        #expect(parser.retry == 250)
        var next = EventStreamParser(lastEventID: parser.lastEventID)
        #expect(try next.consume("data: y\n\n".utf8) == [event("y", id: "a")])
        #expect(next.lastEventID == "a")
        #expect(next.retry == nil)
    }

    @Test func `An empty event ID clears the last event ID`() throws {
        var parser = EventStreamParser(lastEventID: "a")
        _ = try parser.consume("id\n\n".utf8)
        #expect(parser.lastEventID == "")
    }

    @Test(arguments: [
        "text/event-stream", "text/event-stream;charset=utf-8", "Text/Event-Stream ; charset=x",
    ])
    func `The content type of an event stream is accepted`(_ type: String) {
        #expect(EventStreamParser.acceptsContentType(type))
    }

    @Test(arguments: ["text/html", "text/event-streams", "", nil])
    func `A content type other than the type of event streams is rejected`(_ type: String?) {
        #expect(!EventStreamParser.acceptsContentType(type))
    }
}
