/// The notification server of the session.
public struct NotificationServer: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var version: String
    public var specVersion: String
    /// The capabilities that the server reports, such as `actions` and `body-markup`.
    public var capabilities: Set<String>
    /// A description of the failed query to the server; `nil` if no query failed. After a failure, the daemon
    /// assumes that the server has only the basic capabilities.
    public var problem: String?
    /// Whether notifications can be shown. The value is `false` if the server did not respond to
    /// `GetServerInformation`, which libnotify requires.
    public var isUsable: Bool

    /// Whether a call must identify the notification to replace only by its tag, because the server cannot
    /// handle a call with both an ID and a tag.
    public var replacesByTag: Bool { quirks.replacesByTag }

    /// Whether notifications can have a reply field.
    public var acceptsReplies: Bool { capabilities.contains("inline-reply") }

    /// Whether a notification with a reply field must also have the button, because the server may not show
    /// the reply field.
    public var mayHideReplyField: Bool { quirks.mayHideReplyField }

    private var quirks: Quirks { Quirks.ofServers[name] ?? Quirks() }

    public init(
        name: String, vendor: String, version: String, specVersion: String, capabilities: Set<String>,
        problem: String? = nil, isUsable: Bool = true
    ) {
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specVersion = specVersion
        self.capabilities = capabilities
        (self.problem, self.isUsable) = (problem, isUsable)
    }
}

/// The differences between the capabilities that a server reports and its behavior. Names of servers occur
/// only in this table. The comment of each entry states the source.
private struct Quirks: Sendable {
    var mayHideReplyField = false
    var replacesByTag = false

    /// The quirks by the name that the server reports. Servers that were tested and have no quirks: GNOME
    /// Shell 43 and 48, Plasma 6.3, xfce4-notifyd 0.7 and 0.9, dunst 1.9.
    static let ofServers: [String: Quirks] = [
        // Version 0.7.3 (Debian 12, tested with sway) does not report `inline-reply`, and shows the action
        // `inline-reply` as an ordinary button. Version 0.11.0 (Debian 13, tested with sway 1.10) always
        // reports `inline-reply`, shows the reply field only if `notification-inline-replies` is set in its
        // configuration, which is off by default, and never shows a button for the action. The label of the
        // action is the label of the button that sends the reply (`x-kde-reply-submit-button-text` has no
        // effect).
        "SwayNotificationCenter": Quirks(mayHideReplyField: true),
        // Tested with 1.7 and 1.10: if a call has both an ID and a tag, the server replaces the notification
        // twice and then crashes. A replacement by tag alone keeps the ID.
        "mako": Quirks(replacesByTag: true),
    ]
}
