public import Config
public import CutieAPI

extension QuietHours {
    /// The maximum number of consecutive periods to follow. Without a maximum, periods that cover the whole
    /// week would be followed forever.
    private static let maxSteps = 16

    /// Returns the end of the current quiet hours; `nil` if there are none now. Overlapping or adjacent
    /// periods count as one.
    public func endTime(at now: Timestamp, in zone: LocalZone) -> Timestamp? {
        guard var end = latestEnd(ofPeriodsContaining: now, in: zone) else { return nil }
        for _ in 0..<Self.maxSteps {
            guard let later = latestEnd(ofPeriodsContaining: end, in: zone) else { break }
            end = later
        }
        return end
    }

    /// Returns the latest end of all periods that contain `time`. Each period is converted to one time span
    /// per day, so that quiet hours do not start again in the hour that is repeated when daylight saving time
    /// ends.
    private func latestEnd(ofPeriodsContaining time: Timestamp, in zone: LocalZone) -> Timestamp? {
        let today = zone.day(of: time)
        var last: Timestamp?
        for period in periods {
            for day in [today - 1, today] {
                guard let span = period.span(on: day, in: zone), span.from <= time, time < span.to else {
                    continue
                }
                last = max(last ?? span.to, span.to)
            }
        }
        return last
    }

    /// Returns the next time at which quiet hours start or end.
    public func nextChange(after now: Timestamp, in zone: LocalZone) -> Timestamp {
        if let end = endTime(at: now, in: zone) { return end }
        let today = zone.day(of: now)
        // Check only today and the next two days. If no period starts on these days, the result is one day
        // from now, and the caller asks again at that time.
        let beginnings = (today...today + 2).flatMap { day in
            periods.compactMap { $0.span(on: day, in: zone)?.from }
        }
        // Ignore past starts: the periods have ended, or a clock change skipped them.
        return beginnings.filter { $0 > now }.min() ?? now + .seconds(LocalZone.day)
    }
}

extension QuietHours.Period {
    /// Returns the time span of the period on a day; `nil` if the period does not start on that day, or if a
    /// clock change skips it completely.
    fileprivate func span(on day: Int64, in zone: LocalZone) -> (from: Timestamp, to: Timestamp)? {
        guard days.contains(LocalZone.weekday(of: day)) else { return nil }
        let start = zone.timestamp(day: day, minuteOfDay: from)
        let end = zone.timestamp(day: from < to ? day : day + 1, minuteOfDay: to)
        return start < end ? (start, end) : nil
    }
}
