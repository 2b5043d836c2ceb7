/// No pop-ups for so many seconds, or until `Resume`. Badge and history go on; urgent messages pass.
public struct Pause: ControlMethod {
    public var seconds: Int?
    /// Pop-ups without names and text instead of none.
    public var `private`: Bool?

    public init(seconds: Int? = nil, `private`: Bool? = nil) {
        self.seconds = seconds
        self.private = `private`
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Unix milliseconds; nil: until `Resume`.
        public var pausedUntil: Int64?
        /// The pause only lowers the preview.
        public var `private`: Bool

        public init(pausedUntil: Int64? = nil, `private`: Bool = false) {
            self.pausedUntil = pausedUntil
            self.private = `private`
        }
    }
}
