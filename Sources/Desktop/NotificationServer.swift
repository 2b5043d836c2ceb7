/// What the session's notification server says of itself.
public struct NotificationServer: Sendable, Hashable {
    public var name: String
    public var vendor: String
    public var version: String
    public var specVersion: String
    /// Words of the notification specification, for instance `actions` and `body-markup`.
    public var capabilities: Set<String>

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
