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
        /// Unix milliseconds.
        public var pausedUntil: Int64?

        public init(pausedUntil: Int64? = nil) {
            self.pausedUntil = pausedUntil
        }
    }
}
