import CNotify
import NotificationPolicy

/// The content of a notification, truncated and sanitized for the capabilities of a server.
struct NotificationContent {
    /// A hint from the notification specification, or a hint that only one server defines.
    struct Hint {
        enum Value: Equatable {
            case text(String)
            case flag
        }

        let name: String
        /// The value of the hint; `nil` to omit the hint.
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

    /// The action ID for which servers show a reply field instead of a button.
    static let inlineReply = "inline-reply"

    let summary: String
    let body: String
    let iconName: String?
    let urgency: DesktopNotification.Urgency
    /// The timeout of the notification in milliseconds; 0 to never expire, -1 for the default of the server.
    let timeout: Int32
    /// The hints. Every notification has the same hint names in the same order, so that hints can be compared
    /// by index.
    let hints: [Hint]
    let actions: [DesktopNotification.Action]
    /// The actions of the notification, from which `actions` was made.
    private let originalActions: [DesktopNotification.Action]
    /// The ID of the action for which the server shows a reply field; `nil` if there is no reply field.
    let replyAction: String?

    /// A map from the action name that the server sends to the action ID.
    var offeredActions: [String: String] {
        let pairs = actions.map { ($0.id, $0.id == Self.inlineReply ? replyAction ?? $0.id : $0.id) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// - Parameter previous: the previous content of the notification, whose actions are reused if they are
    ///   still the same; `nil` if there is none.
    init(
        for notification: DesktopNotification, application: String, capabilities: Set<String>,
        reusing previous: NotificationContent? = nil
    ) {
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
        originalActions = capabilities.contains("actions") ? notification.actions : []
        if let previous, previous.originalActions == originalActions, previous.replyAction == replyAction {
            actions = previous.actions
        } else {
            actions = Self.makeActions(originalActions, inlineReply: inline)
        }
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
        _ actions: [DesktopNotification.Action], inlineReply inline: DesktopNotification.InlineReply?
    ) -> [DesktopNotification.Action] {
        actions.prefix(8).compactMap { action in
            let id = action.id == inline?.action ? inlineReply : PlainText.singleLine(action.id, limit: 100)
            let label = PlainText.singleLine(action.label, limit: 100)
            return id.isEmpty || label.isEmpty ? nil : DesktopNotification.Action(id: id, label: label)
        }
    }
}
