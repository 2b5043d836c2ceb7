extension Timestamp {
    /// A date of HTTP as RFC 9110 tells to write it, `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    public init?(httpDate text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT" else { return nil }
        guard let day = Self.number(words[1], in: 1...31), let year = Self.number(words[3], in: 1970...9999)
        else { return nil }
        guard let month = Self.months.firstIndex(of: String(words[2])) else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.number(clock[0], in: 0...23),
            let minute = Self.number(clock[1], in: 0...59), let second = Self.number(clock[2], in: 0...60)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month + 1, day: day)
        self.init(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: some StringProtocol, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Counts years from March, so that the leap day is the last of its year.
    private static func daysSince1970(year: Int64, month: Int, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + dayOfYear - 719_468
    }
}
