/// The lengths of a snooze that the user can choose.
public enum SnoozeLength: String, Hashable, Sendable, CaseIterable {
    case hour
    case tomorrow
    case nextWeek = "next-week"

    /// The time at which a snooze of one or more days ends, in minutes after midnight.
    private static let morning = 8 * 60
    /// The end of the night, in milliseconds after midnight. For `tomorrow` and `nextWeek`, the hours before
    /// this time belong to the previous day.
    private static let nightEnd: Int64 = 4 * 3_600_000

    /// Returns the time at which a snooze that begins at `now` ends, in Unix milliseconds.
    func endTime(startingAt now: Int64, in calendar: LocalCalendar) -> Int64 {
        let today = calendar.dateFields(at: now - Self.nightEnd)
        return switch self {
        case .hour: now + 3_600_000
        case .tomorrow: calendar.time(day: today.dayNumber + 1, minuteOfDay: Self.morning)
        case .nextWeek: calendar.time(day: today.dayNumber + 7 - today.weekday, minuteOfDay: Self.morning)
        }
    }
}
