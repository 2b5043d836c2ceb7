extension FixedWidthInteger {
    /// ASCII digits and nothing else: `Int(_:)` takes signs too.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension Substring {
    var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}

extension Duration {
    /// Reads a duration as people write it for cutied: whole seconds, or `90s`, `5m`, `1h`, `2d`.
    /// nil for anything else and for more than 100 years.
    public init?(written text: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let count = Int(digits: unit == nil ? text[...] : text.dropLast()) else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, seconds <= 36_525 * 86_400 else { return nil }
        self = .seconds(seconds)
    }
}
