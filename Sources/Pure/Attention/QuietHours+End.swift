public import Config
public import CutieAPI

extension QuietHours {
    /// When the quiet that holds at `now` ends; nil where none holds. Reckoned by days, not by what the clock
    /// shows: in the hour that autumn repeats, quiet that has ended does not begin again.
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
        // A beginning that has passed without quiet is one whose quiet a change of the clocks left out.
        return beginnings.first { $0 > now } ?? now + .seconds(LocalZone.day)
    }
}
