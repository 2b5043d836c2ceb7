/// The content of a notification: plain text without markup.
public struct DesktopNotification: Sendable, Hashable {
    /// The title of the notification, on one line. If the title is empty, the name of the application is
    /// used.
    public var summary: String
    /// The text of the notification, possibly with several lines.
    public var body: String
    public var urgency = Urgency.normal
    /// The tag of the notification; empty if the notification has no tag. On a server that supports tags, a
    /// notification replaces an earlier notification with the same tag.
    public var stackTag = ""
    /// The name of the application's .desktop file, without its extension.
    public var desktopEntry = ""
    /// The category of the notification, as defined by the notification specification.
    public var category = "im.received"
    /// The name of an icon in the icon theme.
    public var iconName = ""
    /// The absolute path of a picture; `nil` if there is no picture. If the path is not a regular file, no
    /// picture is shown.
    public var imagePath: String?
    /// The buttons of the notification, which are omitted if the server does not support actions. The order
    /// of the buttons is not guaranteed, because libnotify does not preserve the order.
    public var actions: [Action] = []
    /// A text field for a reply. If the server supports reply fields, the field replaces the button of the
    /// same action, unless the server may hide the field (`NotificationServer.mayHideReplyField`).
    public var inlineReply: InlineReply?
    public var sound = Sound.standard
    /// Whether the notification replaces a visible notification. If so, no sound is played.
    public var isUpdate = false
    /// The time in milliseconds after which the notification disappears; `nil` for the server's default, 0
    /// for never.
    public var expireMilliseconds: Int?
    /// Whether the server should not keep the notification in its history.
    public var isTransient = false
    /// The maximum number of characters in the body. A longer body is truncated with an ellipsis.
    public var bodyLimit = 300

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// The urgency of a notification, as defined by the notification specification.
    public enum Urgency: Int32, Sendable, Hashable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// A button of a notification. The action with the ID `default` is a click on the notification itself.
    public struct Action: Sendable, Hashable {
        public var id: String
        public var label: String

        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    public struct InlineReply: Sendable, Hashable {
        /// The ID of the action whose button the field replaces.
        public var action: String
        /// The text that the empty field displays.
        public var placeholder: String
        /// The label of the button that sends the reply.
        public var send: String

        public init(action: String, placeholder: String, send: String) {
            self.action = action
            self.placeholder = placeholder
            self.send = send
        }
    }

    /// The sound that the server plays.
    public enum Sound: Sendable, Hashable {
        case standard
        case silent
        /// The name of a sound in the sound theme.
        case named(String)
    }
}

/// An event of a notification that the daemon showed.
public enum NotificationEvent: Sendable, Hashable {
    /// The user chose an action. This event can also occur after the notification was closed, if the server's
    /// history still shows the notification. `activationToken`: a token with which the opened program can
    /// take the focus; `nil` if the server sent none.
    case action(id: UInt32, name: String, activationToken: String?)
    /// The user typed a reply into the notification. This event can also occur after the notification was
    /// closed.
    case reply(id: UInt32, text: String)
    case closed(id: UInt32, reason: CloseReason)
}

/// The reason why a notification was closed, as defined by the notification specification.
public enum CloseReason: UInt32, Sendable, Hashable {
    case expired = 1
    case dismissed = 2
    case byCall = 3
    case undefined = 4
}
