/// The description of the session's notification server.
public struct NotificationServer: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var version: String
    public var specVersion: String
    /// The capabilities that the server reports, such as `actions` and `body-markup`, without those that it
    /// is known not to provide.
    public var capabilities: Set<String>
    /// The query that the server did not answer; `nil` if it answered all. If set, only minimal capabilities
    /// are assumed.
    public var problem: String?
    /// Whether notifications can be shown on it. libnotify needs an answer to `GetServerInformation`.
    public var isUsable: Bool

    /// Whether a call must not contain both an id and a tag.
    public var replacesByTag: Bool { quirks.replacesByTag }

    /// Whether its pop-ups have a reply field.
    public var takesReplies: Bool { capabilities.contains("inline-reply") }

    private var quirks: Quirks { Quirks.ofServers[name] ?? Quirks() }

    public init(
        name: String, vendor: String, version: String, specVersion: String, capabilities: Set<String>,
        problem: String? = nil, isUsable: Bool = true
    ) {
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specVersion = specVersion
        self.capabilities = []
        (self.problem, self.isUsable) = (problem, isUsable)
        self.capabilities = capabilities.subtracting(quirks.missing)
    }
}

/// How a server differs from its description, with its default configuration. This table is the only place that
/// knows servers by their names. The source of each row is in its comment.
private struct Quirks: Sendable {
    /// Capabilities that the server announces and does not provide.
    var missing: Set<String> = []
    var replacesByTag = false

    /// The quirks by the name that the server reports. No quirks: GNOME Shell 43 and 48, Plasma 6.3, xfce4-notifyd
    /// 0.7 and 0.9, dunst 1.9 (all tried).
    static let ofServers: [String: Quirks] = [
        // 0.7.3 (Debian 12, tried under sway) does not announce a reply field and shows the action as a button. Later
        // versions always announce it (`get_capabilities` in src/notiDaemon/notiDaemon.vala). They show the field
        // only if `notification-inline-replies` is set, which it is not by default, and no button for the same
        // action (swaync(5), not tried).
        "SwayNotificationCenter": Quirks(missing: ["inline-reply"]),
        // Tried with 1.7 and 1.10: if a call has both an id and a tag, it replaces by one and then by the other, and
        // crashes. A replacement by tag keeps the id.
        "mako": Quirks(replacesByTag: true),
    ]
}
