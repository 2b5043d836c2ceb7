/// A part of each day without pop-ups, in local time; it may pass midnight.
public struct QuietHours: Hashable, Sendable {
    /// The first quiet minute of the day, 0 to 1439.
    public let from: Int
    /// The first minute that is not quiet any more.
    public let to: Int

    /// nil where a minute is out of the day, and where both are the same: nothing and everything are
    /// both what that could mean.
    public init?(from: Int, to: Int) {
        let day = 0..<24 * 60
        guard day.contains(from), day.contains(to), from != to else { return nil }
        (self.from, self.to) = (from, to)
    }

    /// Reads `22:00-07:00`.
    public init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Self.minute(ends[0]), let to = Self.minute(ends[1]) else {
            return nil
        }
        self.init(from: from, to: to)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.trimmingSpaces.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = UInt8(digits: parts[0]), let minute = UInt8(digits: parts[1]), hour < 24, minute < 60
        else { return nil }
        return Int(hour) * 60 + Int(minute)
    }
}

extension QuietHours: CustomStringConvertible {
    public var description: String { Self.clock(from) + "-" + Self.clock(to) }

    private static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}
