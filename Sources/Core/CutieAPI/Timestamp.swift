/// Unix time in milliseconds.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Decodes milliseconds, seconds (older servers send these, possibly as a fraction), a number as a
    /// string, or an RFC 3339 date.
    ///
    /// A number from 1e8 to 1e11 is treated as seconds: in milliseconds, the number would be a date before
    /// 1973-03-03, which the API never sends. A smaller number is a date before 1973-03-03 in both units,
    /// and is treated as milliseconds, so that such a value is encoded and decoded without a change.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? LenientInteger(from: decoder).value {
            self.init(serverInteger: Int64(whole))
        } else if let fraction = try? LenientNumber(from: decoder).value {
            let seconds = (1e8..<1e11).contains(fraction.magnitude)
            self.init(clamping: seconds ? fraction * 1000 : fraction)
        } else if let date = Self(internetDate: try container.decode(String.self)) {
            self = date
        } else {
            throw DecodingError.invalidValueError(in: decoder)
        }
    }

    /// Converts an integer from the server, in milliseconds or seconds, as described at `init(from:)`.
    init(serverInteger whole: Int64) {
        let isSeconds = (100_000_000..<100_000_000_000).contains(whole.magnitude)
        self.init(clamping: isSeconds ? whole * 1000 : whole)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// 100 million days before or after 1970, the range of JavaScript dates. Times from the server are
    /// clamped to this range, so that the difference between two times cannot overflow.
    private static let limit: Int64 = 8_640_000_000_000_000

    private init(clamping milliseconds: Int64) {
        self.init(milliseconds: min(max(milliseconds, -Self.limit), Self.limit))
    }

    private init(clamping milliseconds: Double) {
        let limit = Double(Self.limit)
        self.init(milliseconds: Int64(min(max(milliseconds.rounded(), -limit), limit)))
    }

    /// Parses an HTTP date in the preferred format of RFC 9110, `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for
    /// other formats.
    public init?(httpDate text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT" else { return nil }
        guard let day = Self.parseNumber(words[1], in: 1...31),
            let year = Self.parseNumber(words[3], in: 1970...9999)
        else { return nil }
        guard let month = Self.months.firstIndex(of: String(words[2])) else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.parseNumber(clock[0], in: 0...23),
            let minute = Self.parseNumber(clock[1], in: 0...59),
            let second = Self.parseNumber(clock[2], in: 0...60)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month + 1, day: day)
        self.init(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    /// Parses an RFC 3339 date, such as `1994-11-06T08:49:37.5Z`; `nil` for other formats, or if the time
    /// zone is missing.
    init?(internetDate text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, "Tt ".utf8.contains(bytes[10]), [4, 7].allSatisfy({ bytes[$0] == 0x2D }),
            [13, 16].allSatisfy({ bytes[$0] == 0x3A })
        else { return nil }
        let rest = bytes[19...]
        let fraction = rest.first == 0x2E ? rest.dropFirst().prefix { (0x30...0x39).contains($0) } : []
        let zone = rest.dropFirst(fraction.isEmpty ? 0 : fraction.count + 1)
        func parseField(at range: Range<Int>, allowedRange bounds: ClosedRange<Int64>) -> Int64? {
            Self.parseNumber(String(decoding: bytes[range], as: UTF8.self), in: bounds)
        }
        guard let year = parseField(at: 0..<4, allowedRange: 1...9999),
            let month = parseField(at: 5..<7, allowedRange: 1...12),
            let day = parseField(at: 8..<10, allowedRange: 1...31),
            let hour = parseField(at: 11..<13, allowedRange: 0...23),
            let minute = parseField(at: 14..<16, allowedRange: 0...59),
            let second = parseField(at: 17..<19, allowedRange: 0...60),
            let offset = Self.parseOffsetMinutes(ofZone: String(decoding: zone, as: UTF8.self))
        else { return nil }
        let days = Self.daysSince1970(year: year, month: Int(month), day: day)
        let thousandths =
            Int64(String(decoding: (fraction + Array("000".utf8)).prefix(3), as: UTF8.self)) ?? 0
        let minutes = (days * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + thousandths)
    }

    /// Returns the minutes of a zone offset, such as `+01:30`; 0 for `Z`, and `nil` if `text` is
    /// not an offset.
    private static func parseOffsetMinutes(ofZone text: String) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.first == "+" || text.first == "-", text.utf8.count == 6, parts.count == 2,
            let hours = parseNumber(parts[0], in: 0...23), let minutes = parseNumber(parts[1], in: 0...59)
        else { return nil }
        return (text.first == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func parseNumber(_ text: some StringProtocol, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns the number of days from 1970-01-01. Years are counted from March, so that the leap day is the
    /// last day of a year.
    private static func daysSince1970(year: Int64, month: Int, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + dayOfYear - 719_468
    }
}

/// Arithmetic in whole milliseconds. Results are limited to the earliest and latest time.
extension Timestamp {
    public static let epoch = Timestamp(milliseconds: 0)

    public static func + (time: Timestamp, span: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(span.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: span > .zero ? .max : .min)
    }

    public static func - (time: Timestamp, span: Duration) -> Timestamp { time + (.zero - span) }

    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds) - .milliseconds(earlier.milliseconds)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (thousands, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return self > .zero ? .max : .min }
        return thousands + components.attoseconds / 1_000_000_000_000_000
    }
}
