import Reasons

public struct NotificationConfiguration: Hashable, Sendable {
    public var enabled = true
    public var preview = Preview.full
    /// The maximum content of notifications while the screen is locked. If `preview` allows less content,
    /// `preview` applies.
    public var locked = LockScreenPreview.count
    /// The maximum number of notifications on the screen, at least 1. One summary replaces any further
    /// notifications.
    public var maxPopups = 5
    public var quietHours: QuietHours?
    /// Whether urgent messages are announced during quiet hours.
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    /// Whether messages of type `system` are announced.
    public var systemMessages = false
    /// The delay before support staff are reminded of a conversation that waits for their reply; `nil` to
    /// disable the reminder.
    public var remindAfter: Duration?
    /// The delay before the user is reminded of a conversation in which support waits for the user; `nil` to
    /// disable the reminder.
    public var remindWaiting: Duration?

    public init() {}

    /// The content of a notification. The cases are ordered from most to least content.
    public enum Preview: String, CaseIterable, Sendable {
        /// Sender, title and text.
        case full
        /// Sender and title.
        case sender
        /// Only the number of messages.
        case count
    }

    /// The content of notifications while the screen is locked.
    public enum LockScreenPreview: String, CaseIterable, Sendable {
        case full, sender, count
        /// Notifications are held until the screen is unlocked.
        case hold
    }

    /// The sound of a notification.
    public enum Sound: Hashable, Sendable {
        /// The sound that the notification server plays for a new message.
        case standard
        case none
        /// The name of a sound in the desktop's XDG sound theme.
        case named(String)
    }

    static let keys = [
        "enabled", "preview", "locked", "max_popups", "quiet_hours", "urgent_breaks_quiet", "sound",
        "system_messages", "remind_after", "remind_waiting",
    ]

    init(_ section: ConfigurationSection) throws(ConfigurationError) {
        if let value = section["enabled"] { enabled = try value.parseFlag() }
        if let value = section["preview"] { preview = try value.parseEnumValue() }
        if let value = section["locked"] { locked = try value.parseEnumValue() }
        if let value = section["max_popups"] { maxPopups = try value.parseNumber(in: 1...100) }
        if let value = section["quiet_hours"] { quietHours = try value.parseQuietHours() }
        if let value = section["urgent_breaks_quiet"] { urgentBreaksQuiet = try value.parseFlag() }
        if let value = section["sound"] { sound = try value.parseSound() }
        if let value = section["system_messages"] { systemMessages = try value.parseFlag() }
        if let value = section["remind_after"] { remindAfter = try value.parseReminderDelay() }
        if let value = section["remind_waiting"] { remindWaiting = try value.parseReminderDelay() }
    }
}

extension NotificationConfiguration.Preview: Comparable {
    /// Compares the amount of content: `count` < `sender` < `full`.
    public static func < (one: Self, other: Self) -> Bool { one.detailLevel < other.detailLevel }

    private var detailLevel: Int {
        switch self {
        case .count: 0
        case .sender: 1
        case .full: 2
        }
    }
}

extension ConfigurationScalar {
    /// Parses a delay; returns `nil` for `false`, which disables the reminder.
    fileprivate func parseReminderDelay() throws(ConfigurationError) -> Duration? {
        if (try? parseFlag()) == false { return nil }
        return try parseDuration(atLeast: .seconds(60))
    }

    /// Parses one period or a list of periods; returns `nil` for an empty list.
    fileprivate func parseQuietHours() throws(ConfigurationError) -> QuietHours? {
        guard isList else { return QuietHours([try parseQuietPeriod()]) }
        let values = try parseList()
        guard values.count <= QuietHours.maxPeriods else {
            throw makeError(code: .tooManyEntries, arguments: ["count": "\(QuietHours.maxPeriods)"])
        }
        var periods: [QuietHours.Period] = []
        for value in values { periods.append(try value.parseQuietPeriod()) }
        return QuietHours(periods)
    }

    private func parseQuietPeriod() throws(ConfigurationError) -> QuietHours.Period {
        let text = try parseText()
        if let period = QuietHours.Period(text) { return period }
        guard text.first?.isLetter == true, text.contains(where: \.isNumber) else {
            throw makeError(code: .timesOfDayRequired)
        }
        throw makeError(code: .daysAndTimesRequired)
    }

    func parseSound() throws(ConfigurationError) -> NotificationConfiguration.Sound {
        if let flag = try? parseFlag() { return flag ? .standard : .none }
        let name = try parseText()
        guard !name.isEmpty, !name.contains("/") else {
            throw makeError(code: .soundRequired)
        }
        return .named(name)
    }
}
