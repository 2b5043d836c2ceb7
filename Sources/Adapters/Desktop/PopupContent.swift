import CNotify

/// The content of a pop-up for a given server: limited in length, and without harmful characters.
struct PopupContent {
    /// A hint of the notification specification, or of a particular server.
    struct Hint {
        enum Value: Equatable {
            case text(String)
            case flag
        }

        let name: String
        /// `nil` if the pop-up has no hint of this name.
        let value: Value?

        init(_ name: String, text: String?) {
            let line = text.map { PlainText.line($0, limit: 200) } ?? ""
            self.name = name
            value = line.isEmpty ? nil : .text(line)
        }

        init(_ name: String, isSet: Bool) {
            self.name = name
            value = isSet ? .flag : nil
        }
    }

    /// The action id that servers with a reply field recognize.
    static let inlineReply = "inline-reply"

    let summary: String
    let body: String
    let iconName: String?
    let urgency: Popup.Urgency
    /// Milliseconds; 0 for never, -1 for the server's default.
    let timeout: Int32
    /// The hints. Every pop-up has the same names in the same order.
    let hints: [Hint]
    let actions: [Popup.Action]
    /// The id of the action that the reply field replaces.
    let replyAction: String?

    /// The ids of the actions, by the name that the server uses.
    var offeredActions: [String: String] {
        let pairs = actions.map { ($0.id, $0.id == Self.inlineReply ? replyAction ?? $0.id : $0.id) }
        return Dictionary(pairs) { first, _ in first }
    }

    init(of popup: Popup, by application: String, on capabilities: Set<String>) {
        let summary = PlainText.line(popup.summary, limit: 200)
        let body = PlainText.lines(popup.body, limit: popup.bodyLimit)
        self.summary = summary.isEmpty ? application : summary
        self.body = capabilities.contains("body-markup") ? PlainText.escaped(body) : body
        iconName = popup.iconName.isEmpty ? nil : popup.iconName
        urgency = popup.urgency
        timeout = popup.expireMilliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
        let inline = capabilities.contains(Self.inlineReply) ? popup.inlineReply : nil
        replyAction = inline?.action
        hints = Self.hints(of: popup, inline)
        actions = capabilities.contains("actions") ? Self.actions(of: popup, inline) : []
    }

    private static func hints(of popup: Popup, _ inline: Popup.InlineReply?) -> [Hint] {
        let sound: String? =
            switch popup.sound {
            case _ where popup.isUpdate, .silent: nil
            case .standard: "message-new-instant"
            case .named(let name): name
            }
        return [
            Hint("desktop-entry", text: popup.desktopEntry), Hint("category", text: popup.category),
            Hint("x-canonical-private-synchronous", text: popup.stackTag),
            Hint("x-dunst-stack-tag", text: popup.stackTag), Hint("transient", isSet: popup.isTransient),
            Hint("image-path", text: popup.imagePath.flatMap { isLocalFile($0) ? $0 : nil }),
            Hint("suppress-sound", isSet: sound == nil), Hint("sound-name", text: sound),
            Hint("x-kde-reply-placeholder-text", text: inline?.placeholder),
            Hint("x-kde-reply-submit-button-text", text: inline?.send),
        ]
    }

    private static func isLocalFile(_ path: String) -> Bool {
        !path.utf8.contains(0) && cnotify_is_local_file(path)
    }

    private static func actions(of popup: Popup, _ inline: Popup.InlineReply?) -> [Popup.Action] {
        popup.actions.prefix(8).compactMap { action in
            let id = action.id == inline?.action ? inlineReply : PlainText.line(action.id, limit: 100)
            let label = PlainText.line(action.label, limit: 100)
            return id.isEmpty || label.isEmpty ? nil : Popup.Action(id: id, label: label)
        }
    }
}
