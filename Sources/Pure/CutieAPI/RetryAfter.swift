/// When a server wants to be asked again: the floor under a retry's delay.
public enum RetryAfter: Hashable, Sendable {
    case seconds(Int)
    case at(Timestamp)

    /// 10 minutes: a longer wish is a mistake, or somebody's on the way, and would silence the daemon.
    public static let longest = Duration.seconds(600)

    /// The value of a `Retry-After` header; nil where it is neither seconds nor an HTTP date.
    public init?(header: String) {
        let text = header.drop { $0 == " " || $0 == "\t" }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, text[digits.endIndex...].allSatisfy({ $0 == " " || $0 == "\t" }) {
            self = .seconds(Int(digits) ?? .max)
        } else if let date = Timestamp(httpDate: text) {
            self = .at(date)
        } else {
            return nil
        }
    }

    /// How long to wait at least, from `now`; never less than nothing, never more than `longest`.
    public func delay(now: Timestamp) -> Duration {
        let wish: Duration =
            switch self {
            case .seconds(let seconds): .seconds(min(max(seconds, 0), 86_400))
            case .at(let date): .milliseconds(max(date.milliseconds.saturatingSubtract(now.milliseconds), 0))
            }
        return min(wish, Self.longest)
    }
}

extension Int64 {
    fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}
