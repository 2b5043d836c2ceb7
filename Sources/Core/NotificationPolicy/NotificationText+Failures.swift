public import Config
import Localization

extension NotificationText {
    /// Returns the notification text for a message that could not be sent. `location`: the conversation's
    /// title; `nil` if it has none.
    public static func failure(
        inConversation location: String?, text: String, reason: String,
        preview: NotificationConfiguration.Preview
    ) -> NotificationText {
        let heading = localized("Not sent") + (location.map { " — " + $0 } ?? "")
        let words = text.count > 200 ? text.prefix(199) + "…" : text[...]
        return switch preview {
        case .full:
            NotificationText(summary: heading, body: joinedBody(firstLine: reason, text: String(words)))
        case .sender: NotificationText(summary: heading, body: reason)
        case .count: NotificationText(summary: localized("A message was not sent"), body: reason)
        }
    }

    /// Returns `text` with a full stop at the end, because error messages from other programs have no full
    /// stop.
    private static func appendingFullStop(to text: String) -> String {
        guard let last = text.unicodeScalars.last, !Self.endings.contains(last) else { return text }
        return localized("{sentence}.", ["sentence": text])
    }

    /// Returns the notification text for several messages that could not be sent. `reason`: the reason why
    /// the last message was not sent.
    public static func failures(count: Int, reason: String) -> NotificationText {
        NotificationText(
            summary: localized(
                one: "{count} message was not sent", other: "{count} messages were not sent", count: count),
            body: appendingFullStop(to: reason) + "\n"
                + localized(
                    "To see the messages, run this command in a terminal: {command}",
                    ["command": "cutied ctl outbox"]))
    }
}
