/// The notification server of the session.
public struct NotifierView: Codable, Hashable, Sendable {
    public var available: Bool
    /// Its name and version.
    public var server: String?

    public init(available: Bool, server: String? = nil) {
        self.available = available
        self.server = server
    }
}
