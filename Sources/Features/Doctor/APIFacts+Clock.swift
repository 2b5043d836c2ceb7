import CutieAPI

// MARK: - Comparing this computer's clock with the clocks of the APIs

extension APIFacts {
    /// Returns how many seconds the server's clock is ahead of the local clock; `nil` if the `Date` header
    /// contains no time. `sentAt`, `receivedAt`: the local times of the request and the response, in Unix
    /// milliseconds.
    static func clockOffset(serverDate date: String?, sentAt: Int64, receivedAt: Int64)
        -> Int64?
    {
        guard let date, case .at(let time) = RetryAfter(header: date) else { return nil }
        return (time.milliseconds - (sentAt + (receivedAt - sentAt) / 2)) / 1000
    }

    static func makeClockCheck(for apis: [APIFacts]) -> Check {
        let name = "clock"
        let differences = apis.compactMap { api in
            if case .answered(_, let seconds?) = api.outcome { seconds } else { nil }
        }
        // Report the smallest difference, because one server may be wrong: the local clock is considered
        // wrong only if it differs from the clocks of all servers.
        guard let ahead = differences.min(by: { $0.magnitude < $1.magnitude }) else {
            return Check(name, .skipped, "unknown (no API sent the time)")
        }
        guard ahead.magnitude > Self.clockTolerance else {
            return Check(name, .ok, "within \(Self.clockTolerance) s of the API's clock")
        }
        return Check(
            name, .failure,
            "this computer is \(ahead.magnitude) s \(ahead > 0 ? "behind" : "ahead of") the API",
            advice: "correct the clock; run: timedatectl set-ntp true")
    }

    /// The largest difference that is not reported, in seconds.
    private static let clockTolerance: UInt64 = 120
}
