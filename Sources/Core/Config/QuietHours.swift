/// The weekly periods without notifications, in local time.
public struct QuietHours: Hashable, Sendable {
    /// The periods of the quiet hours, at least one.
    public let periods: [Period]
    static let maxPeriods = 32

    /// Creates quiet hours; `nil` if `periods` is empty.
    public init?(_ periods: [Period]) {
        guard !periods.isEmpty else { return nil }
        self.periods = periods
    }

    /// Creates quiet hours with one period that begins on every day; `nil` if the period is invalid.
    public init?(from: Int, to: Int) { self.init([Period(from: from, to: to)].compactMap(\.self)) }

    /// Parses quiet hours with a single period; `nil` for other formats.
    public init?(_ text: String) { self.init([Period(text)].compactMap(\.self)) }

    /// A daily period on certain days of the week; may span midnight.
    public struct Period: Hashable, Sendable {
        /// The days on which the period begins.
        public let days: Set<Weekday>
        /// The first quiet minute of the day, 0 to 1439.
        public let from: Int
        /// The first minute after the period, 0 to 1439.
        public let to: Int

        /// Creates a period. `nil` if `days` is empty, if a minute is not in 0 to 1439, or if both minutes
        /// are equal, which would be ambiguous: an empty period or the whole day.
        public init?(days: Set<Weekday> = Weekday.all, from: Int, to: Int) {
            let day = 0..<24 * 60
            guard !days.isEmpty, day.contains(from), day.contains(to), from != to else { return nil }
            (self.days, self.from, self.to) = (days, from, to)
        }
    }

    /// A day of the week. Monday is the first day.
    public enum Weekday: Int, CaseIterable, Sendable {
        case mon, tue, wed, thu, fri, sat, sun

        public static let all = Set(allCases)
    }
}

// MARK: - Text

extension QuietHours.Period {
    /// Parses a period, such as `22:00-07:00`, `mon-fri 22:00-07:00` or `sat,sun 00:00-10:00`; `nil` for
    /// other formats.
    public init?(_ text: String) {
        let start = text.firstIndex { $0.isNumber } ?? text.endIndex
        let ends = text[start...].split(separator: "-", omittingEmptySubsequences: false)
        guard let days = Self.parseDays(text[..<start].trimmingSpaces), ends.count == 2,
            let from = Self.parseMinuteOfDay(ends[0]), let to = Self.parseMinuteOfDay(ends[1])
        else { return nil }
        self.init(days: days, from: from, to: to)
    }

    /// Parses days and ranges of days, separated by commas. Returns all days if `text` is empty, and `nil` if
    /// `text` is invalid.
    private static func parseDays(_ text: Substring) -> Set<QuietHours.Weekday>? {
        if text.isEmpty { return QuietHours.Weekday.all }
        var days: Set<QuietHours.Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { QuietHours.Weekday(name: $0.trimmingSpaces) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil else {
                return nil
            }
            // A range may span the end of the week, such as `sat-mon`.
            let length = (last.rawValue - first.rawValue + 7) % 7
            for step in 0...length {
                days.formUnion(QuietHours.Weekday(rawValue: (first.rawValue + step) % 7).map { [$0] } ?? [])
            }
        }
        return days
    }

    private static func parseMinuteOfDay(_ text: Substring) -> Int? {
        let parts = text.trimmingSpaces.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = UInt8(digits: parts[0]), let minute = UInt8(digits: parts[1]), hour < 24, minute < 60
        else { return nil }
        return Int(hour) * 60 + Int(minute)
    }
}

extension QuietHours.Weekday {
    /// The name in the configuration file, such as `mon`.
    fileprivate var name: String { "\(self)" }

    fileprivate init?(name: Substring) {
        let name = name.lowercased()
        guard let day = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = day
    }
}

extension QuietHours.Period: CustomStringConvertible {
    public var description: String {
        (days == QuietHours.Weekday.all ? "" : dayNames + " ") + Self.clockText(ofMinuteOfDay: from) + "-"
            + Self.clockText(ofMinuteOfDay: to)
    }

    /// The days of the period as text. Three or more consecutive days are written as a range, such as
    /// `mon-fri`.
    public var dayNames: String {
        var runs: [[QuietHours.Weekday]] = []
        for day in QuietHours.Weekday.allCases where days.contains(day) {
            if let last = runs.last?.last, last.rawValue + 1 == day.rawValue {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            guard let first = run.first, let last = run.last, run.count > 2 else {
                return run.map(\.name).joined(separator: ",")
            }
            return first.name + "-" + last.name
        }
        .joined(separator: ",")
    }

    private static func clockText(ofMinuteOfDay minute: Int) -> String {
        func twoDigitText(of number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return twoDigitText(of: minute / 60) + ":" + twoDigitText(of: minute % 60)
    }
}

extension QuietHours: CustomStringConvertible {
    public var description: String { periods.map(\.description).joined(separator: ", ") }
}
