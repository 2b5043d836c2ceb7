/// The answer of a long-poll. No events after the wait is normal.
public struct EventPage: Hashable, Sendable, Codable {
    public var events: [Event]
    /// What to ask `after` next time; nil where the server did not tell.
    public var cursor: Event.ID?

    public init(events: [Event], cursor: Event.ID?) {
        self.events = events
        self.cursor = cursor
    }

    enum CodingKeys: String, CodingKey {
        case events, cursor
    }

    /// An event that cannot be read is skipped; an answer without a list is no page.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        events = try container.requiredList(.events)
        cursor = container.lenient(.cursor)
    }
}
