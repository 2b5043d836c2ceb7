/// Reads the configuration again. A bad one is refused with InvalidConfiguration and the old one stays.
public struct Reload: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
