/// One step in the life of a message.
public struct LedgerStep: Codable, Hashable, Sendable {
    /// Unix milliseconds.
    public var at: Int64
    /// `received`, `stored`, `announcing`, `shown`, `held`, `closed` or `read`.
    public var stage: String
    public var detail: String?

    public init(at: Int64, stage: String, detail: String? = nil) {
        self.at = at
        self.stage = stage
        self.detail = detail
    }
}
