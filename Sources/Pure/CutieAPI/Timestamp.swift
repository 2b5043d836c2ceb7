/// Unix time in milliseconds, as the wire counts it.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Older servers answer `created_at` in seconds or as a fraction: what lies before 1973-03-03 when read
    /// as milliseconds, and not when read as seconds (1e8 to 1e11), is taken as seconds. What lies before
    /// it either way is left alone, or a time would be another one each time it is kept and read.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            let seconds = (100_000_000..<100_000_000_000).contains(whole.magnitude)
            self.init(clamping: seconds ? whole * 1000 : whole)
        } else {
            let fraction = try container.decode(Double.self)
            let seconds = (1e8..<1e11).contains(fraction.magnitude)
            self.init(clamping: seconds ? fraction * 1000 : fraction)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp {
    /// 100 million days around 1970, what JavaScript's dates span. Times of the wire are kept within, so
    /// that the difference of two never overflows.
    private static let limit: Int64 = 8_640_000_000_000_000

    private init(clamping milliseconds: Int64) {
        self.init(milliseconds: min(max(milliseconds, -Self.limit), Self.limit))
    }

    private init(clamping milliseconds: Double) {
        let limit = Double(Self.limit)
        self.init(milliseconds: Int64(min(max(milliseconds.rounded(), -limit), limit)))
    }
}
