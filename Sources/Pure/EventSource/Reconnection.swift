/// What outlives a connection: where the stream came to, and how long to wait before the next one.
public struct Reconnection: Hashable, Sendable {
    /// What the next request says in `Last-Event-ID`; without it where this is empty.
    public private(set) var lastEventID: String
    /// Milliseconds before the next connection, as last told by the server.
    public private(set) var milliseconds: Int

    public init(lastEventID: String = "", milliseconds: Int = 3000) {
        self.lastEventID = lastEventID
        self.milliseconds = max(milliseconds, 0)
    }

    /// The parser of the next connection. It begins with the id known so far, as browsers do: a server
    /// that sends no id after a reconnect does not make the cursor forgotten.
    public func parser(limit: Int = EventStreamParser.defaultLimit) -> EventStreamParser {
        EventStreamParser(limit: limit, lastEventID: lastEventID)
    }

    /// Takes over what a connection told, when it has ended or at any time before.
    public mutating func learn(from parser: EventStreamParser) {
        lastEventID = parser.lastEventID
        if let retry = parser.retry { milliseconds = retry }
    }

    /// What the standard makes of a response's head.
    public enum Answer: Hashable, Sendable {
        /// Read it as an event stream.
        case stream
        /// Do not connect again; the reason is for a person.
        case stop(String)
    }

    /// `contentType` is the value of the header, with parameters or without.
    public static func answer(status: Int, contentType: String?) -> Answer {
        guard status == 200 else {
            return .stop(
                status == 204 ? "the server ended the stream for good (204)" : "the server answered \(status)"
            )
        }
        let essence = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard essence.lowercased() == "text/event-stream" else {
            return .stop("the server answered with \(essence.isEmpty ? "no type" : essence), no event stream")
        }
        return .stream
    }
}
