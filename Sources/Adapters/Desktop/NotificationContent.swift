import CNotify
import NotificationPolicy

/// The content of a notification for a given server: truncated, and without harmful characters.
struct NotificationContent {
    /// A hint, as defined by the notification specification or by a server.
    struct Hint {
        enum Value: Equatable {
            case text(String)
            case flag
        }

        let name: String
        /// The value; `nil` if the notification does not have this hint.
        let value: Value?

        init(_ name: String, text: String?) {
            let line = text.map { PlainText.singleLine($0, limit: 200) } ?? ""
            self.name = name
            value = line.isEmpty ? nil : .text(line)
        }

        init(_ name: String, isSet: Bool) {
            self.name = name
            value = isSet ? .flag : nil
        }
    }

    /// The action ID by which servers recognize a reply field.
    static let inlineReply = "inline-reply"

    let summary: String
    let body: String
    let iconName: String?
    let urgency: DesktopNotification.Urgency
    /// Milliseconds until the notification expires; 0 for never, -1 for the server's default.
    let timeout: Int32
    /// The hints. All notifications have the same names in the same order.
    let hints: [Hint]
    let actions: [DesktopNotification.Action]
    /// The ID of the action that the reply field replaces; `nil` if there is no reply field.
    let replyAction: String?

    /// The action IDs, by the name under which the server knows the action.
    var offeredActions: [String: String] {
        let pairs = actions.map { ($0.id, $0.id == Self.inlineReply ? replyAction ?? $0.id : $0.id) }
        return Dictionary(pairs) { first, _ in first }
    }

    init(of notification: DesktopNotification, by application: String, on capabilities: Set<String>) {
        let summary = PlainText.singleLine(notification.summary, limit: 200)
        let body = PlainText.multipleLines(notification.body, limit: notification.bodyLimit)
        self.summary = summary.isEmpty ? application : summary
        self.body = capabilities.contains("body-markup") ? PlainText.escapedMarkup(body) : body
        iconName = notification.iconName.isEmpty ? nil : notification.iconName
        urgency = notification.urgency
        timeout = notification.expireMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
        let inline = capabilities.contains(Self.inlineReply) ? notification.inlineReply : nil
        replyAction = inline?.action
        hints = Self.makeHints(for: notification, inlineReply: inline)
        actions =
            capabilities.contains("actions") ? Self.makeActions(for: notification, inlineReply: inline) : []
    }

    private static func makeHints(
        for notification: DesktopNotification, inlineReply inline: DesktopNotification.InlineReply?
    ) -> [Hint] {
        let sound: String? =
            switch notification.sound {
            case _ where notification.isUpdate, .silent: nil
            case .standard: "message-new-instant"
            case .named(let name): name
            }
        return [
            Hint("desktop-entry", text: notification.desktopEntry),
            Hint("category", text: notification.category),
            Hint("x-canonical-private-synchronous", text: notification.stackTag),
            Hint("x-dunst-stack-tag", text: notification.stackTag),
            Hint("transient", isSet: notification.isTransient),
            Hint("image-path", text: notification.imagePath.flatMap { isLocalFile($0) ? $0 : nil }),
            Hint("suppress-sound", isSet: sound == nil), Hint("sound-name", text: sound),
            Hint("x-kde-reply-placeholder-text", text: inline?.placeholder),
            Hint("x-kde-reply-submit-button-text", text: inline?.send),
        ]
    }

    private static func isLocalFile(_ path: String) -> Bool {
        !path.utf8.contains(0) && cnotify_is_local_file(path)
    }

    private static func makeActions(
        for notification: DesktopNotification, inlineReply inline: DesktopNotification.InlineReply?
    ) -> [DesktopNotification.Action] {
        notification.actions.prefix(8).compactMap { action in
            let id = action.id == inline?.action ? inlineReply : PlainText.singleLine(action.id, limit: 100)
            let label = PlainText.singleLine(action.label, limit: 100)
            return id.isEmpty || label.isEmpty ? nil : DesktopNotification.Action(id: id, label: label)
        }
    }
}
