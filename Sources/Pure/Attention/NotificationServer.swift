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

/// The differences between a server and its description, in its default configuration.
private struct Quirks: Sendable {
    /// The capabilities that the server reports but does not provide.
    var missing: Set<String> = []
    var replacesByTag = false

    /// The quirks by the name that the server reports.
    static let ofServers: [String: Quirks] = [
        // It shows the field only if `notification-inline-replies` is set, which is not the default. Without
        // the field, it shows no button either.
        "SwayNotificationCenter": Quirks(missing: ["inline-reply"]),
        // If a call has both an id and a tag, mako (1.7 and 1.10) replaces twice and crashes. With only a
        // tag, it keeps the id.
        "mako": Quirks(replacesByTag: true),
    ]
}
