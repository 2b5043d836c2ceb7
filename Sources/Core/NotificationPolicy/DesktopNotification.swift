/// The content of a notification: plain text, without markup.
public struct DesktopNotification: Sendable, Hashable {
    /// A single line; if empty, the application's name is used.
    public var summary: String
    /// The text; may have several lines.
    public var body: String
    public var urgency = Urgency.normal
    /// The tag; empty for none. On servers that support tags, a notification replaces one with the same tag.
    public var stackTag = ""
    /// The name of the application's .desktop file, without the extension.
    public var desktopEntry = ""
    /// A category of the notification specification.
    public var category = "im.received"
    /// The name of an icon of the theme.
    public var iconName = ""
    /// An absolute path. Ignored if it is not a regular file.
    public var imagePath: String?
    /// The buttons; omitted if the server supports no actions. libnotify does not preserve the order.
    public var actions: [Action] = []
    /// A reply field, which replaces an action if the server supports such fields.
    public var inlineReply: InlineReply?
    public var sound = Sound.standard
    /// Whether this notification only updates one that was shown before. Updates play no sound.
    public var isUpdate = false
    /// `nil` for the server's default; 0 for never.
    public var expireMilliseconds: Int?
    /// Whether the server should leave the notification out of its history.
    public var isTransient = false
    /// The maximum number of characters. Longer text ends with an ellipsis.
    public var bodyLimit = 300

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    /// The importance of a notification, as defined by the notification specification.
    public enum Urgency: Int32, Sendable, Hashable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// A button; with the id `default`, a click on the notification itself.
    public struct Action: Sendable, Hashable {
        public var id: String
        public var label: String

        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// A text field in the notification for a reply.
    public struct InlineReply: Sendable, Hashable {
        /// The id of the action that the field replaces.
        public var action: String
        /// The text that the empty field shows.
        public var placeholder: String
        /// The label of the field's button.
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
        /// The name of a sound of the theme.
        case named(String)
    }
}

/// An event of a notification that this program has shown.
public enum NotificationEvent: Sendable, Hashable {
    /// The person chose an action. May be reported after the end of the notification, if the server shows it again
    /// from its history. `activationToken` allows the opened program to take the focus; many servers send
    /// none.
    case action(id: UInt32, name: String, activationToken: String?)
    /// The person typed a reply into the notification. May be reported after its end.
    case reply(id: UInt32, text: String)
    case closed(id: UInt32, reason: CloseReason)
}

/// The reason why a notification ended, as defined by the notification specification.
public enum CloseReason: UInt32, Sendable, Hashable {
    case expired = 1
    case dismissed = 2
    case byCall = 3
    case undefined = 4
}
