/// The reconnection state: the last event ID, and the delay before the next connection.
public struct StreamReconnection: Hashable, Sendable {
    /// The `Last-Event-ID` for the next request; empty for no header.
    public private(set) var lastEventID: String
    /// The delay before the next connection in milliseconds, as last sent by the server.
    public private(set) var milliseconds: Int

    public init(lastEventID: String = "", milliseconds: Int = 3000) {
        self.lastEventID = lastEventID
        self.milliseconds = max(milliseconds, 0)
    }

    /// Returns the parser for the next connection. The parser starts with the last ID, as in browsers, so
    /// that a server that sends no ID after a reconnect does not reset the cursor.
    public func makeParser(limit: Int = EventStreamParser.defaultLimit) -> EventStreamParser {
        EventStreamParser(limit: limit, lastEventID: lastEventID)
    }

    /// Stores the last ID and the delay from a connection, which may still be open.
    public mutating func update(from parser: EventStreamParser) {
        lastEventID = parser.lastEventID
        if let retry = parser.retry { milliseconds = retry }
    }

    /// The action that the WHATWG standard requires for a response.
    public enum Answer: Hashable, Sendable {
        /// Read the body as an event stream.
        case stream
        /// Do not reconnect. The value is the reason, for the user.
        case stop(String)
    }

    /// Returns the action for a response.
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
