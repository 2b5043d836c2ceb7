/// What a reply is written on: everything that its text depends on besides the reply itself.
struct Page: Sendable {
    /// Unix milliseconds.
    var now: Int64
    var clock: WallClock
    var colour: Bool
    /// Cells a line of a table may take.
    var width: Int

    func paint(_ text: String, _ ink: Ink) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// `just now`, `3 min ago`, `in 2 h`; more than a week away, the date.
    func relative(_ milliseconds: Int64) -> String {
        let (distance, overflow) = now.subtractingReportingOverflow(milliseconds)
        let seconds = overflow ? UInt64.max : distance.magnitude / 1000
        let amount: String
        switch seconds {
        case ..<60: return distance >= 0 ? "just now" : "in \(seconds) s"
        case ..<3600: amount = "\(seconds / 60) min"
        case ..<86_400: amount = "\(seconds / 3600) h"
        case ..<604_800: amount = "\(seconds / 86_400) d"
        default: return clock.date(milliseconds)
        }
        return distance >= 0 ? "\(amount) ago" : "in \(amount)"
    }

    /// `14:30` of today, else with the date.
    func moment(_ milliseconds: Int64) -> String {
        let (day, time) = (clock.date(milliseconds), clock.time(milliseconds, seconds: false))
        return day == clock.date(now) ? time : day + " " + time
    }

    func relative(_ milliseconds: Int64?, otherwise: String) -> String {
        milliseconds.map { relative($0) } ?? otherwise
    }
}

/// The colours of the output, as SGR numbers.
enum Ink: Int, Sendable {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
}
