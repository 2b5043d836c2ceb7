public import Config
public import CutieAPI

extension QuietHours {
    /// Returns when the current quiet hours end; `nil` if none are in force. The computation uses days
    /// instead of the clock's reading, so quiet hours that ended do not resume in the hour that repeats in
    /// autumn.
    public func end(of now: Timestamp, in zone: LocalZone) -> Timestamp? {
        let today = zone.day(of: now)
        for day in [today - 1, today] {
            let end = zone.moment(day: from < to ? day : day + 1, minute: to)
            if zone.moment(day: day, minute: from) <= now, now < end { return end }
        }
        return nil
    }

    /// Returns the next time at which quiet hours begin or end.
    public func nextChange(after now: Timestamp, in zone: LocalZone) -> Timestamp {
        if let end = end(of: now, in: zone) { return end }
        let today = zone.day(of: now)
        let beginnings = (today...today + 2).map { zone.moment(day: $0, minute: from) }
        // Starts that have passed are ignored: their quiet hours have ended, or a clock change skipped them.
        return beginnings.first { $0 > now } ?? now + .seconds(LocalZone.day)
    }
}
