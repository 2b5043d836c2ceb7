/// Unix time in milliseconds, as the wire counts it.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Older servers answer `created_at` in seconds or as a fraction: what would lie before 1973-03-03
    /// when read as milliseconds (less than 1e11) is taken as seconds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            self.init(wire: whole)
        } else {
            let fraction = try container.decode(Double.self)
            let seconds = abs(fraction) < 1e11
            self.init(milliseconds: Int64(exactly: (seconds ? fraction * 1000 : fraction).rounded()) ?? 0)
        }
    }

    private init(wire: Int64) {
        milliseconds = wire.magnitude < 100_000_000_000 ? wire * 1000 : wire
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
