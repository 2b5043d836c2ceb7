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
        guard let seconds = Self.seconds(written: text), seconds <= Self.mostDays * 86_400 else { return nil }
        self = .seconds(seconds)
    }

    static let mostDays = 36_525

    /// However many; nil for what is no duration.
    static func seconds(written text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let (seconds, overflow) = (Int(digits) ?? .max).multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? .max : seconds
    }
}
