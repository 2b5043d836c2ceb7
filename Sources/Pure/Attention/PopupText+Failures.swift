public import Config

extension PopupText {
    /// What the person wrote could not be sent. `place`: the conversation's title, if it has one.
    public static func failure(
        in place: String?, text: String, reason: String, preview: NotificationConfiguration.Preview
    ) -> PopupText {
        let heading = "Not sent" + (place.map { " — " + $0 } ?? "")
        let words = text.count > 200 ? text.prefix(199) + "…" : text[...]
        return switch preview {
        case .full: PopupText(summary: heading, body: body(reason, String(words)))
        case .sender: PopupText(summary: heading, body: reason)
        case .count: PopupText(summary: "A message was not sent", body: reason)
        }
    }

    /// What comes from elsewhere ends without a full stop.
    private static func sentence(_ text: String) -> String {
        text.last.map { ".!?…".contains($0) } ?? true ? text : text + "."
    }

    /// Several at once; `reason` is the last one's.
    public static func failures(_ count: Int, reason: String) -> PopupText {
        PopupText(
            summary: "\(count) messages were not sent",
            body: sentence(reason) + "\nTo see them, type in a terminal: cutied ctl outbox")
    }
}
