import Localization

/// The parameters for formatting replies as text.
struct TextFormat: Sendable {
    /// The current time in Unix milliseconds.
    var now: Int64
    var clock: WallClock
    var usesColor: Bool
    /// The maximum width of a table, in cells.
    var width: Int

    func styled(_ text: String, as style: TextStyle) -> String {
        usesColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns the text with ranges in bold.
    ///
    /// - Parameter ranges: ordered ranges of scalar offsets. Parts beyond the end of the text are ignored.
    func highlighted(_ text: String, ranges: [Range<Int>]) -> String {
        guard usesColor, !ranges.isEmpty else { return text }
        let scalars = Array(text.unicodeScalars)
        var (result, place) = ("", 0)
        for range in ranges.map({ $0.clamped(to: 0..<scalars.count) }) where !range.isEmpty {
            result += scalars[place..<range.lowerBound].text + styled(scalars[range].text, as: .bold)
            place = range.upperBound
        }
        return result + scalars[place...].text
    }

    /// Returns a relative time such as `just now`, `3 min ago` or `in 2 h`; the date if the time is about
    /// a week or more away.
    func relativeTimeText(for milliseconds: Int64) -> String {
        let (distance, overflow) = now.subtractingReportingOverflow(milliseconds)
        guard !overflow else { return clock.dateText(for: milliseconds) }
        if distance < 0 { return futureTimeText(in: distance.magnitude) ?? clock.dateText(for: milliseconds) }
        let seconds = distance.magnitude / 1000
        return switch seconds {
        case ..<60: localized("just now")
        case ..<3600: localized("{count} min ago", ["count": "\(seconds / 60)"])
        case ..<86_400: localized("{count} h ago", ["count": "\(seconds / 3600)"])
        case ..<604_800: localized("{count} d ago", ["count": "\(seconds / 86_400)"])
        default: clock.dateText(for: milliseconds)
        }
    }

    /// Returns the time until a future moment, such as `in 2 h`; `nil` if it is more than six days away.
    /// Rounds to the nearest unit; otherwise, `in 2 h` would become `in 1 h` after a moment.
    private func futureTimeText(in milliseconds: UInt64) -> String? {
        func roundedCount(unitLength length: UInt64) -> UInt64 {
            milliseconds / length + (milliseconds % length > length / 2 ? 1 : 0)
        }
        let (seconds, minutes) = (roundedCount(unitLength: 1000), roundedCount(unitLength: 60_000))
        let (hours, days) = (roundedCount(unitLength: 3_600_000), roundedCount(unitLength: 86_400_000))
        if seconds <= 59 { return localized("in {count} s", ["count": "\(seconds)"]) }
        if minutes <= 59 { return localized("in {count} min", ["count": "\(minutes)"]) }
        if hours <= 23 { return localized("in {count} h", ["count": "\(hours)"]) }
        return days <= 6 ? localized("in {count} d", ["count": "\(days)"]) : nil
    }

    /// Returns the time, such as `14:30`, and also the date if it is not today.
    func absoluteTimeText(for milliseconds: Int64) -> String {
        let (day, time) = (
            clock.dateText(for: milliseconds), clock.timeText(for: milliseconds, showsSeconds: false)
        )
        return day == clock.dateText(for: now) ? time : day + " " + time
    }

    func relativeTimeText(for milliseconds: Int64?, otherwise: String) -> String {
        milliseconds.map { relativeTimeText(for: $0) } ?? otherwise
    }
}

extension Collection<Unicode.Scalar> {
    var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: self)
        return String(text)
    }
}

/// The colors of the output, as SGR codes.
enum TextStyle: Int, Sendable {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
    case magenta = 35
}

/// A reply that can be formatted as text for users.
protocol HumanReadable: Sendable {
    /// Returns complete lines, each ending with a line feed.
    func text(in format: TextFormat) -> String

    /// An additional note for standard error; `nil` if there is none.
    var remark: String? { get }
}

extension HumanReadable {
    var remark: String? { nil }
}
