import EventSource

typealias Output = EventStreamParser.Output

/// The outputs of a stream that arrives in these chunks.
func outputs(_ chunks: [[UInt8]], limit: Int = EventStreamParser.defaultLimit) throws -> [Output] {
    var parser = EventStreamParser(limit: limit)
    var outputs: [Output] = []
    for chunk in chunks { try parser.consume(chunk, into: &outputs) }
    return outputs
}

func outputs(_ text: String) throws -> [Output] { try outputs([Array(text.utf8)]) }

func event(_ data: String, type: String = "message", id: String = "") -> Output {
    .event(StreamEvent(type: type, data: data, id: id))
}
