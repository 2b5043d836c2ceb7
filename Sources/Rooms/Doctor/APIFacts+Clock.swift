import CutieAPI

/// How this computer's clock compares with the APIs'.
extension APIFacts {
    /// How many seconds a server's clock is ahead of ours, which showed these Unix milliseconds when it was asked
    /// and when its answer came. nil where `date`, the header of that name, tells no time.
    static func secondsAhead(date: String?, asked: Int64, answered: Int64) -> Int64? {
        guard let date, case .at(let time) = RetryAfter(header: date) else { return nil }
        return (time.milliseconds - (asked + (answered - asked) / 2)) / 1000
    }

    static func clock(_ apis: [APIFacts]) -> Check {
        let name = "clock"
        let differences = apis.compactMap { api in
            if case .answered(_, let seconds?) = api.outcome { seconds } else { nil }
        }
        // One server may be wrong; this computer is where it differs from all of them.
        guard let ahead = differences.min(by: { $0.magnitude < $1.magnitude }) else {
            return Check(name, .skipped, "no API told the time")
        }
        guard ahead.magnitude > Self.clockTolerance else {
            return Check(name, .ok, "within \(Self.clockTolerance) s of the API's")
        }
        return Check(
            name, .failure,
            "this computer is \(ahead.magnitude) s \(ahead > 0 ? "behind" : "ahead of") the API",
            advice: "set it right; type: timedatectl set-ntp true")
    }

    /// Seconds.
    private static let clockTolerance: UInt64 = 120
}
