extension APIRequest {
    /// Opens the event stream behind `lastEventID`, or at "now". Its body is for an event-stream parser.
    public static func eventStream(after lastEventID: Event.ID?) -> APIRequest {
        APIRequest(.get, "events", "stream").with {
            $0.accept = "text/event-stream"
            $0.lastEventID = lastEventID
            $0.timeouts = .stream
        }
    }
}

extension Endpoint where Answer == EventPage {
    /// Waits up to so many seconds, 0 to 60, for events behind `cursor`, or from "now" on.
    public static func events(after cursor: Event.ID?, wait seconds: Int) -> Self {
        let seconds = min(max(seconds, 0), 60)
        return Self(
            APIRequest(.get, "events").with {
                if let cursor { $0.query.append(.init(name: "after", value: cursor.rawValue)) }
                $0.query.append(.init(name: "wait", value: String(seconds)))
                $0.timeouts = .longPoll(seconds: seconds)
            })
    }
}
