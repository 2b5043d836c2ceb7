public import Config
public import Localization

extension NotificationText {
    /// Returns the text of a reminder of one conversation.
    ///
    /// - Parameters:
    ///   - title: the title of the conversation; `nil` if it has none.
    ///   - isSnooze: whether a snooze has ended; otherwise the other side waits for an answer.
    ///   - reader: the role of the conversation's account.
    public static func reminder(
        title: String?, isSnooze: Bool, reader: Reader, preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let title = title.map(oneLine).flatMap { $0.isEmpty || preview == .count ? nil : $0 }
        let body =
            isSnooze
            ? localized("You snoozed this conversation until now.")
            : ReaderText.waitingReminder.text(for: reader)
        return NotificationText(summary: title ?? localized("Conversation"), body: body)
    }

    /// Returns the text of several reminders. `titles`: those of the conversations, `nil` if one has none.
    public static func reminders(
        titles: [String?], preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let named = titles.compactMap { $0.map(oneLine) }.filter { !$0.isEmpty }
        return NotificationText(
            summary: localized(
                one: "{count} conversation needs your attention",
                other: "{count} conversations need your attention", count: titles.count),
            body: preview == .count || named.isEmpty ? "" : list(named, of: titles.count))
    }

    private static func oneLine(_ title: String) -> String {
        title.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
