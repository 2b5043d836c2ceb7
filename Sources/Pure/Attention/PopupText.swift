public import Config
import Localization

/// The words of a pop-up, plain text: what a person sees of one or more replies.
public struct PopupText: Hashable, Sendable {
    public var summary: String
    public var body: String

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// One conversation's live pop-up. `names` are its senders, `newest` the last text, `count` the
    /// replies it stands for. `isOfUsers`: they are what users write to who answers.
    public static func conversation(
        names: [String], title: String?, newest: String, count: Int, isOfUsers: Bool = false,
        preview: NotificationConfiguration.Preview
    ) -> PopupText {
        let names = list(names, of: names.count)
        let heading = title.map { names + " — " + $0 } ?? names
        return switch preview {
        case .full where count <= 1: PopupText(summary: heading, body: newest)
        case .full: PopupText(summary: heading, body: body(counted(count, isOfUsers), newest))
        case .sender: PopupText(summary: heading, body: counted(count, isOfUsers))
        case .count: PopupText(summary: counted(count, isOfUsers), body: "")
        }
    }

    private static func counted(_ count: Int, _ isOfUsers: Bool) -> String {
        isOfUsers
            ? localized(one: "{count} new message", other: "{count} new messages", count: count)
            : localized(one: "{count} new reply", other: "{count} new replies", count: count)
    }

    /// The one pop-up that stands for many conversations; `titles` are those of the newest.
    public static func digest(
        titles: [String], count: Int, conversations: Int, preview: NotificationConfiguration.Preview
    ) -> PopupText {
        let place = localized(
            one: "in {count} conversation", other: "in {count} conversations", count: conversations)
        // A body has lines, but a title is one.
        let titles = titles.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let named = preview == .count || titles.isEmpty ? [] : [list(titles, of: conversations)]
        return PopupText(
            summary: localized(
                one: "{count} unread reply", other: "{count} unread replies", count: count),
            body: body(place, named.joined()))
    }

    /// A line and what it is about below. Some servers show all lines of a body as one: without a mark between
    /// them the two would be read as one sentence.
    static func body(_ line: String, _ text: String) -> String {
        guard !text.isEmpty else { return line }
        let isMarked = line.unicodeScalars.last.map { $0 == ":" || endings.contains($0) } ?? true
        // Translators: what follows, on the next line, is a list of titles or what somebody wrote.
        return (isMarked ? line : localized("{line}:", ["line": line])) + "\n" + text
    }

    /// What ends a sentence.
    static let endings: [Unicode.Scalar] = [".", "!", "?", "…", "。", "！", "？", "؟"]

    /// "Ann", "Ann, Bob", "Ann, Bob and 3 more".
    static func list(_ names: [String], of total: Int) -> String {
        if names.count == 1, total == 1 { return names[0] }
        let shown = names.prefix(total > 3 ? 2 : 3)
        let listed = shown.joined(separator: localized(", ", context: "enumeration"))
        guard total > shown.count else { return listed }
        return localized(
            one: "{names} and {count} more", other: "{names} and {count} more", count: total - shown.count,
            ["names": listed])
    }
}
