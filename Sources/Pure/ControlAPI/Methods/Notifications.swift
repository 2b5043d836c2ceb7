/// Pop-ups for good: sets them where `enabled` is given, tells how they are.
public struct Notifications: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool

        public init(enabled: Bool) {
            self.enabled = enabled
        }
    }
}
