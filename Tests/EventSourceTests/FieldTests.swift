import EventSource
import Testing

@Suite struct FieldTests {
    struct Case: CustomTestStringConvertible {
        let stream: String
        let outputs: [Output]
        init(_ stream: String, _ outputs: Output...) {
            self.stream = stream
            self.outputs = outputs
        }
        var testDescription: String { stream.debugDescription }
    }

    static let events: [Case] = [
        Case("data: Hello\n\n", event("Hello")),
        Case("data: Hello\n\ndata: World\n\n", event("Hello"), event("World")),
        Case("data: Hello\ndata:World\n\n", event("Hello\nWorld")),
        Case("data:\n\n", event("")),
        Case("data\n\ndata\ndata\n\ndata:", event(""), event("\n")),
        Case("data:test\n\ndata: test\n\n", event("test"), event("test")),
        Case("data:  two spaces\n\n", event(" two spaces")),
        Case("data:\ttab\n\n", event("\ttab")),
        Case("data: a:b: c\n\n", event("a:b: c")),
        Case("event: greeting\ndata: Hello\n\n", event("Hello", type: "greeting")),
        Case("event:  greeting\ndata: Hello\n\n", event("Hello", type: " greeting")),
        Case("event: a\nevent: b\ndata: x\n\n", event("x", type: "b")),
        Case("event: a\nevent\ndata: x\n\n", event("x")),
        Case("event: a\n\ndata: x\n\n", event("x")),
        Case("data: x\nid: 7\nevent: e\n\n", event("x", type: "e", id: "7")),
        Case("color: blue\ndata: x\n\n", event("x")),
        Case("Data: x\nDATA: x\n data: x\ndata : x\ndatax: x\ndat: x\n\n"),
        Case("data: unfinished\n"),
        Case("data: unfinished"),
        Case("\n\n\n"),
        Case("data: €豆腐\n\n", event("€豆腐")),
        Case("data: a\u{0}b\n\n", event("a\u{0}b")),
        Case("data: a\u{2028}b\u{85}c\u{0C}d\n\n", event("a\u{2028}b\u{85}c\u{0C}d")),
    ]

    @Test(arguments: events)
    func `The event and data fields of a stream are parsed into events`(_ sample: Case) throws {
        #expect(try outputs(sample.stream) == sample.outputs)
    }

    static let ids: [Case] = [
        Case("id: abc\ndata: x\n\n", event("x", id: "abc")),
        Case("id: abc\ndata: x\n\ndata: y\n\n", event("x", id: "abc"), event("y", id: "abc")),
        Case("id: abc\ndata: x\n\nid: \ndata: y\n\n", event("x", id: "abc"), event("y")),
        Case("id: abc\ndata: x\n\nid\ndata: y\n\n", event("x", id: "abc"), event("y")),
        Case("id: a\u{0}bc\ndata: x\n\n", event("x")),
        Case("id: 1\nid: \u{0}\ndata: x\n\n", event("x", id: "1")),
        Case("id: 1\n\ndata: x\n\n", event("x", id: "1")),
        Case("data: x\n\nid: 1\n", event("x")),
    ]

    @Test(arguments: ids)
    func `An event ID applies until the next event ID`(_ sample: Case) throws {
        #expect(try outputs(sample.stream) == sample.outputs)
    }

    static let comments: [Case] = [
        Case(":Hello\n", .comment("Hello")),
        Case(":\n", .comment("")),
        Case(": heart : beat\n", .comment(" heart : beat")),
        Case("data: a\n:c\ndata: b\n\n", .comment("c"), event("a\nb")),
        Case(":unfinished"),
    ]

    @Test(arguments: comments)
    func `A comment is delivered immediately and does not affect the current event`(_ sample: Case) throws {
        #expect(try outputs(sample.stream) == sample.outputs)
    }

    static let retries: [Case] = [
        Case("retry: 3000\n", .retry(milliseconds: 3000)),
        Case("retry:007\n", .retry(milliseconds: 7)),
        Case("retry: 0\n", .retry(milliseconds: 0)),
        Case("retry: 99999999999999999999999999\n", .retry(milliseconds: Int(Int32.max))),
        Case("retry: 9223372036854775807\n", .retry(milliseconds: Int(Int32.max))),
        Case("retry: 1a\nretry: -1\nretry: +1\nretry: 1.5\nretry:  1\nretry:\nretry\nretry: ١\nretry: 1 \n"),
    ]

    @Test(arguments: retries)
    func `A retry field is ignored unless its value consists only of digits`(_ sample: Case) throws {
        #expect(try outputs(sample.stream) == sample.outputs)
    }

    @Test func `An event with an ID but without data sets the last event ID and is not delivered`() throws {
        var parser = EventStreamParser()
        #expect(try parser.consume("id: 5\n".utf8) == [])
        #expect(parser.lastEventID == "")
        #expect(try parser.consume("\n".utf8) == [])
        #expect(parser.lastEventID == "5")
        #expect(try parser.consume("id: 6\ndata: cut off".utf8) == [])
        #expect(parser.lastEventID == "5")
    }
}
