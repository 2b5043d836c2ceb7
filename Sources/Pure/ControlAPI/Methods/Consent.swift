/// Whether the apps' makers may count this device as in use: sets it where `enabled` is given.
public struct Consent: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool
        /// Whether the person ever said so.
        public var decided: Bool

        public init(enabled: Bool, decided: Bool) {
            self.enabled = enabled
            self.decided = decided
        }
    }
}
