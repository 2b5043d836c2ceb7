public import Config
public import Localization

extension NotificationText {
    /// Returns the text of a reminder for one conversation.
    ///
    /// - Parameters:
    ///   - title: the title of the conversation; `nil` if it has none.
    ///   - isSnooze: `true` if a snooze ended, `false` if the other side waits for a reply.
    ///   - role: the role of the user in the conversation.
    public static func reminder(
        title: String?, isSnooze: Bool, role: UserRole, preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let title = title.map(singleLine).flatMap { $0.isEmpty || preview == .count ? nil : $0 }
        let body =
            isSnooze
            ? localized("The snooze of this conversation has ended.")
            : RoleDependentText.waitingReminder.text(for: role)
        return NotificationText(summary: title ?? localized("Conversation"), body: body)
    }

    /// Returns the text of a reminder for several conversations. `titles`: the titles of the conversations;
    /// `nil` for a conversation without a title.
    public static func reminders(
        titles: [String?], preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let named = titles.compactMap { $0.map(singleLine) }.filter { !$0.isEmpty }
        return NotificationText(
            summary: localized(
                one: "{count} conversation needs your attention",
                other: "{count} conversations need your attention", count: titles.count),
            body: preview == .count || named.isEmpty ? "" : nameList(named, totalCount: titles.count))
    }

    private static func singleLine(_ title: String) -> String {
        title.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
