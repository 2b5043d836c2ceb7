/// The state that outlives a connection: the last event id, and the delay before the next connection.
public struct StreamReconnection: Hashable, Sendable {
    /// The value of `Last-Event-ID` of the next request; no header is sent if it is empty.
    public private(set) var lastEventID: String
    /// The delay before the next connection in milliseconds, as last sent by the server.
    public private(set) var milliseconds: Int

    public init(lastEventID: String = "", milliseconds: Int = 3000) {
        self.lastEventID = lastEventID
        self.milliseconds = max(milliseconds, 0)
    }

    /// Returns the parser for the next connection. It starts with the last id, as browsers do: a server that
    /// sends no id after a reconnect must not reset the cursor.
    public func parser(limit: Int = EventStreamParser.defaultLimit) -> EventStreamParser {
        EventStreamParser(limit: limit, lastEventID: lastEventID)
    }

    /// Stores the last id and the delay that the server sent on a connection. Can be called at any time.
    public mutating func update(from parser: EventStreamParser) {
        lastEventID = parser.lastEventID
        if let retry = parser.retry { milliseconds = retry }
    }

    /// The handling of a response according to the WHATWG standard.
    public enum Answer: Hashable, Sendable {
        /// Read the body as an event stream.
        case stream
        /// Do not reconnect. The associated value is the reason for the user.
        case stop(String)
    }

    /// Decides how to handle a response.
    ///
    /// - Parameter contentType: the value of the header, with or without parameters.
    public static func answer(status: Int, contentType: String?) -> Answer {
        guard status == 200 else {
            return .stop(
                status == 204
                    ? "the server ended the stream permanently (204)" : "the server answered \(status)"
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
