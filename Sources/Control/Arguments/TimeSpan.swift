import ArgumentParser

/// A duration as people type it: whole seconds, or `90s`, `5m`, `1h`, `2d`.
struct TimeSpan: Hashable, Sendable {
    var seconds: Int

    /// No one waits or pauses longer; it also keeps sums of times far from overflow.
    static let limit = TimeSpan(seconds: 10 * 366 * 86_400)
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) {
        var digits = argument[...]
        var unit = 1
        if let last = digits.last, let factor = Self.units[last] {
            unit = factor
            digits.removeLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, seconds <= Self.limit.seconds else { return nil }
        self.init(seconds: seconds)
    }

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
}
