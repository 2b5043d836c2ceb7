/// What the session's notification server says of itself.
public struct NotificationServer: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var version: String
    public var specVersion: String
    /// Words of the notification specification, for instance `actions` and `body-markup`.
    public var capabilities: Set<String>

    /// mako replaces by id and by tag, one after the other, and crashes where it is given both (1.7 and 1.10).
    /// By tag it keeps the id.
    public var replacesByTag: Bool { name == "mako" }

    /// Whether its pop-ups have a field to type a reply into.
    public var takesReplies: Bool { capabilities.contains("inline-reply") }

    public init(
        name: String, vendor: String, version: String, specVersion: String, capabilities: Set<String>
    ) {
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specVersion = specVersion
        self.capabilities = capabilities
    }
}
