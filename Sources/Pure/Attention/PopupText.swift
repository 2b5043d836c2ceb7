public import Config

/// The words of a pop-up, plain text: what a person sees of one or more replies.
public struct PopupText: Hashable, Sendable {
    public var summary: String
    public var body: String

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// One conversation's live pop-up. `names` are its senders, `newest` the last text, `count` the
    /// replies it stands for.
    public static func conversation(
        names: [String], title: String?, newest: String, count: Int,
        preview: NotificationConfiguration.Preview
    ) -> PopupText {
        let counted = replies(count, "new")
        let heading = ([list(names, of: names.count)] + (title.map { [$0] } ?? [])).joined(separator: " — ")
        return switch preview {
        case .full: PopupText(summary: heading, body: count > 1 ? body(counted, newest) : newest)
        case .sender: PopupText(summary: heading, body: counted)
        case .count: PopupText(summary: counted, body: "")
        }
    }

    /// The one pop-up that stands for many conversations; `titles` are those of the newest.
    public static func digest(
        titles: [String], count: Int, conversations: Int, preview: NotificationConfiguration.Preview
    ) -> PopupText {
        let place = conversations == 1 ? "in 1 conversation" : "in \(conversations) conversations"
        // A body has lines, but a title is one.
        let titles = titles.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let named = preview == .count || titles.isEmpty ? [] : [list(titles, of: conversations)]
        return PopupText(
            summary: replies(count, "unread"), body: body(place, named.joined()))
    }

    /// A line and what it is about below. Some servers show all lines of a body as one: without a mark between
    /// them the two would be read as one sentence.
    static func body(_ line: String, _ text: String) -> String {
        guard !text.isEmpty else { return line }
        let isMarked = line.last.map { ".:!?…".contains($0) } ?? true
        return line + (isMarked ? "\n" : ":\n") + text
    }

    /// "Ann", "Ann, Bob", "Ann, Bob and 3 more".
    static func list(_ names: [String], of total: Int) -> String {
        let shown = names.prefix(total > 3 ? 2 : 3)
        let left = total > shown.count ? " and \(total - shown.count) more" : ""
        return shown.joined(separator: ", ") + left
    }

    private static func replies(_ count: Int, _ adjective: String) -> String {
        count == 1 ? "1 \(adjective) reply" : "\(count) \(adjective) replies"
    }
}
