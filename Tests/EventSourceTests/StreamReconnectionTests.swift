import EventSource
import Testing

@Suite struct StreamReconnectionTests {
    @Test func `The last event ID and the retry time are preserved after the connection ends`() throws {
        var reconnection = StreamReconnection(milliseconds: 10)
        var parser = reconnection.makeParser()
        _ = try parser.consume("retry: 250\nid: a\ndata: x\n\nid: b\ndata: cut off".utf8)
        reconnection.update(from: parser)
        #expect(reconnection.lastEventID == "a")
        #expect(reconnection.milliseconds == 250)
        parser = reconnection.makeParser()
        #expect(try parser.consume("data: y\n\n".utf8) == [event("y", id: "a")])
        reconnection.update(from: parser)
        #expect(reconnection.lastEventID == "a")
        #expect(reconnection.milliseconds == 250)
    }

    @Test func `An empty event ID clears the last event ID`() throws {
        var reconnection = StreamReconnection(lastEventID: "a")
        var parser = reconnection.makeParser()
        _ = try parser.consume("id\n\n".utf8)
        reconnection.update(from: parser)
        #expect(reconnection.lastEventID == "")
    }

    @Test func `A negative retry time counts as zero`() {
        #expect(StreamReconnection(milliseconds: -5).milliseconds == 0)
    }

    @Test(arguments: [
        "text/event-stream", "text/event-stream;charset=utf-8", "Text/Event-Stream ; charset=x",
    ])
    func `A response with status 200 and the media type of event streams is accepted`(_ type: String) {
        #expect(StreamReconnection.classifyResponse(status: 200, contentType: type) == .stream)
    }

    @Test(arguments: [(204, "text/event-stream"), (404, "text/event-stream"), (200, "text/html"), (200, nil)])
    func `A response with another status or media type is not accepted as an event stream`(
        _ status: Int, _ type: String?
    ) {
        #expect(StreamReconnection.classifyResponse(status: status, contentType: type) != .stream)
    }
}
