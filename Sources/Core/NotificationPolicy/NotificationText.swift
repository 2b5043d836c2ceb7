public import Config
public import Localization

/// The title and body of a notification about replies, without markup.
public struct NotificationText: Hashable, Sendable {
    public var summary: String
    public var body: String

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// Returns the text for the replies in one conversation.
    ///
    /// - Parameters:
    ///   - senderNames: the names of the senders.
    ///   - newestText: the text of the newest message.
    ///   - messageCount: the number of messages.
    ///   - role: the role of the user in the conversation.
    public static func conversation(
        senderNames: [String], title: String?, newestText: String, messageCount: Int, role: UserRole = .user,
        preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let names = nameList(senderNames, totalCount: senderNames.count)
        let heading = title.map { names + " — " + $0 } ?? names
        return switch preview {
        case .full where messageCount <= 1: NotificationText(summary: heading, body: newestText)
        case .full:
            NotificationText(
                summary: heading,
                body: joinedBody(
                    firstLine: RoleDependentText.newRepliesText(count: messageCount, for: role),
                    text: newestText))
        case .sender:
            NotificationText(
                summary: heading, body: RoleDependentText.newRepliesText(count: messageCount, for: role))
        case .count:
            NotificationText(
                summary: RoleDependentText.newRepliesText(count: messageCount, for: role), body: "")
        }
    }

    /// Returns the text of the summary for several conversations. `titles`: the titles of the newest
    /// conversations.
    public static func digest(
        titles: [String], messageCount: Int, conversationCount: Int, role: UserRole = .user,
        preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let place = localized(
            one: "in {count} conversation", other: "in {count} conversations", count: conversationCount)
        // Remove line breaks from the titles, because each line of the body has a separate meaning.
        let titles = titles.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let named =
            preview == .count || titles.isEmpty ? [] : [nameList(titles, totalCount: conversationCount)]
        return NotificationText(
            summary: RoleDependentText.unreadText(count: messageCount, for: role),
            body: joinedBody(firstLine: place, text: named.joined())
        )
    }

    /// Returns `line` and, on the next line, `text`. The first line ends with punctuation, because some
    /// servers join the lines of a body.
    static func joinedBody(firstLine: String, text: String) -> String {
        guard !text.isEmpty else { return firstLine }
        let isMarked = firstLine.unicodeScalars.last.map { $0 == ":" || endings.contains($0) } ?? true
        // Translators: Followed on the next line by a list of titles or by a message text.
        return (isMarked ? firstLine : localized("{line}:", ["line": firstLine])) + "\n" + text
    }

    static let endings: [Unicode.Scalar] = [".", "!", "?", "…", "。", "！", "？", "؟"]

    /// Returns a list of names, such as "Ann", "Ann, Bob" or "Ann, Bob and 3 more". `total`: the number of
    /// all names.
    static func nameList(_ names: [String], totalCount: Int) -> String {
        if names.count == 1, totalCount == 1 { return names[0] }
        let shown = names.prefix(totalCount > 3 ? 2 : 3)
        let listed = shown.joined(separator: localized(", ", context: "enumeration"))
        guard totalCount > shown.count else { return listed }
        return localized(
            one: "{names} and {count} more", other: "{names} and {count} more",
            count: totalCount - shown.count,
            ["names": listed])
    }
}
