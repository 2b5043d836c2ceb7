import EventSource

/// The reconnection state of `conformance sse`. The daemon stores its position in the database instead.
struct StreamReconnection: Sendable {
    /// The `Last-Event-ID` for the next request; empty for no header.
    private(set) var lastEventID: String
    /// The delay before the next connection in milliseconds, as last sent by the server.
    private(set) var milliseconds: Int

    init(lastEventID: String, milliseconds: Int) {
        (self.lastEventID, self.milliseconds) = (lastEventID, milliseconds)
    }

    /// Returns the parser for the next connection. The parser starts with the last ID, as in browsers, so
    /// that a server that sends no ID after a reconnect does not reset the cursor.
    func makeParser() -> EventStreamParser { EventStreamParser(lastEventID: lastEventID) }

    /// Stores the last ID and the delay from a connection, which may still be open.
    mutating func update(from parser: EventStreamParser) {
        lastEventID = parser.lastEventID
        if let retry = parser.retry { milliseconds = retry }
    }

    /// Returns the reason why the WHATWG standard forbids a reconnection after a response; `nil` if the body
    /// of the response is an event stream.
    static func stopReason(status: Int, contentType: String?) -> String? {
        guard status == 200 else {
            return status == 204
                ? "the server ended the stream permanently (204)" : "the server returned \(status)"
        }
        guard !EventStreamParser.acceptsContentType(contentType) else { return nil }
        return "the server sent \(contentType ?? "no content type") instead of an event stream"
    }
}
