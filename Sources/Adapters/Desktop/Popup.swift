/// What a person is to see: plain text, without markup.
public struct Popup: Sendable, Hashable {
    /// One line. Empty: the application's name.
    public var summary: String
    /// May have several lines.
    public var body: String
    public var urgency = Urgency.normal
    /// Pop-ups with the same tag take each other's place on servers that know tags. Empty: no tag.
    public var stackTag = ""
    /// The name of the application's .desktop file, without the ending.
    public var desktopEntry = ""
    /// A category of the notification specification.
    public var category = "im.received"
    /// An icon of the theme.
    public var iconName = ""
    /// An absolute path here. What is no regular file is left out.
    public var imagePath: String?
    /// Left out where the server has no actions. libnotify keeps no order.
    public var actions: [Action] = []
    /// Where the server has a field to type into, it takes the place of an action.
    public var inlineReply: InlineReply?
    public var sound = Sound.standard
    /// Shown before with less in it: must not sound again.
    public var isUpdate = false
    /// Nil: as the server likes; 0: never.
    public var expireMilliseconds: Int?
    /// Not to be kept in the server's list of what was shown.
    public var isTransient = false
    /// Characters; what is longer ends with an ellipsis.
    public var bodyLimit = 300

    public init(summary: String, body: String) {
        self.summary = summary
        self.body = body
    }

    public enum Urgency: Int32, Sendable, Hashable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// A button; with the id `default`, a click on the pop-up itself.
    public struct Action: Sendable, Hashable {
        public var id: String
        public var label: String

        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// A field in the pop-up to type a reply into.
    public struct InlineReply: Sendable, Hashable {
        /// The id of the action whose place it takes.
        public var action: String
        /// What stands in the empty field.
        public var placeholder: String
        /// What its button is called.
        public var send: String

        public init(action: String, placeholder: String, send: String) {
            self.action = action
            self.placeholder = placeholder
            self.send = send
        }
    }

    public enum Sound: Sendable, Hashable {
        case standard
        case silent
        /// A name of the sound theme.
        case named(String)
    }
}

/// What happened to a pop-up that this program has shown.
public enum PopupEvent: Sendable, Hashable {
    /// The person chose an action. May come after the end of the pop-up, if the server brought it back from its
    /// history. `activationToken` lets the program that is opened take the focus; many servers send none.
    case action(id: UInt32, name: String, activationToken: String?)
    /// The person typed this into the pop-up. May come after its end.
    case reply(id: UInt32, text: String)
    case closed(id: UInt32, reason: CloseReason)
}

/// Why a pop-up went, as the notification specification tells reasons apart.
public enum CloseReason: UInt32, Sendable, Hashable {
    case expired = 1
    case dismissed = 2
    case byCall = 3
    case undefined = 4
}
