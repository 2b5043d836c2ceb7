/// What the session's notification server says of itself.
public struct NotificationServer: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var version: String
    public var specVersion: String
    /// Capabilities of the notification specification, for instance `actions` and `body-markup`, without those
    /// that the server announces and does not provide.
    public var capabilities: Set<String>
    /// Which question the server did not answer; `nil` if it answered all. Its capabilities are the smallest then.
    public var problem: String?
    /// Whether notifications can be shown on it. libnotify needs an answer to `GetServerInformation`.
    public var isUsable: Bool

    /// Whether it must not be sent an id and a tag in one call.
    public var replacesByTag: Bool { quirks.replacesByTag }

    /// Whether its pop-ups have a field to type a reply into.
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

/// How a server differs from its description, with its default configuration.
private struct Quirks: Sendable {
    /// Capabilities that it announces and does not provide.
    var missing: Set<String> = []
    var replacesByTag = false

    /// The quirks by the name that the server reports.
    static let ofServers: [String: Quirks] = [
        // It shows the field only if `notification-inline-replies` is set, which it is not by default; without the
        // field there is no button either.
        "SwayNotificationCenter": Quirks(missing: ["inline-reply"]),
        // It replaces by id and by tag, one after the other, and crashes if a call has both (1.7 and 1.10). By tag
        // it keeps the id.
        "mako": Quirks(replacesByTag: true),
    ]
}
