/// The state that a client keeps between connections: the last event ID, and the delay before the next
/// connection.
public struct StreamReconnection: Hashable, Sendable {
    /// The value of `Last-Event-ID` for the next request; empty to omit the header.
    public private(set) var lastEventID: String
    /// The delay before the next connection in milliseconds, as last sent by the server.
    public private(set) var milliseconds: Int

    public init(lastEventID: String = "", milliseconds: Int = 3000) {
        self.lastEventID = lastEventID
        self.milliseconds = max(milliseconds, 0)
    }

    /// Returns the parser for the next connection. The parser starts with the last ID, as in browsers: if the
    /// server sends no ID on the new connection, the last ID remains valid.
    public func makeParser(limit: Int = EventStreamParser.defaultLimit) -> EventStreamParser {
        EventStreamParser(limit: limit, lastEventID: lastEventID)
    }

    /// Copies the last ID and the delay from the parser of a connection, which may still be open.
    public mutating func update(from parser: EventStreamParser) {
        lastEventID = parser.lastEventID
        if let retry = parser.retry { milliseconds = retry }
    }

    /// The client's reaction to a response, as required by the WHATWG standard.
    public enum Answer: Hashable, Sendable {
        /// Read the body as an event stream.
        case stream
        /// Do not reconnect. The value is the reason, as a message for the user.
        case stop(String)
    }

    /// Returns how the client must react to a response.
    ///
    /// - Parameter contentType: the value of the header, with or without parameters.
    public static func classifyResponse(status: Int, contentType: String?) -> Answer {
        guard status == 200 else {
            return .stop(
                status == 204
                    ? "the server ended the stream permanently (204)" : "the server returned \(status)"
            )
        }
        let essence = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard essence.lowercased() == "text/event-stream" else {
            return .stop(
                "the server sent \(essence.isEmpty ? "no content type" : essence) instead of an event stream")
        }
        return .stream
    }
}
