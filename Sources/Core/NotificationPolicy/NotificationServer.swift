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

    /// Whether its notifications have a reply field.
    public var acceptsReplies: Bool { capabilities.contains("inline-reply") }

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

/// The differences between a server in its default configuration and its own description. Only this table
/// contains the names of servers. The comment of each row gives the source.
private struct Quirks: Sendable {
    /// Capabilities that the server announces and does not provide.
    var missing: Set<String> = []
    var replacesByTag = false

    /// The quirks by the name that the server reports. Tested without quirks: GNOME Shell 43 and 48, Plasma
    /// 6.3, xfce4-notifyd 0.7 and 0.9, dunst 1.9.
    static let ofServers: [String: Quirks] = [
        // Version 0.7.3 (Debian 12, tested with sway) does not announce a reply field and shows the action as
        // a button. Later versions always announce it (`get_capabilities` in src/notiDaemon/notiDaemon.vala),
        // but show the field only if `notification-inline-replies` is set, which is not the default, and
        // never show a button for the action (swaync(5), not tested).
        "SwayNotificationCenter": Quirks(missing: ["inline-reply"]),
        // Tested with 1.7 and 1.10: if a call has both an id and a tag, the server replaces by one and then
        // by the other, and crashes. A replacement by tag preserves the id.
        "mako": Quirks(replacesByTag: true),
    ]
}
