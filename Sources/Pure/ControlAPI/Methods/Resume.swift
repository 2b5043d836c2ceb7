/// Ends a pause.
public struct Resume: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
