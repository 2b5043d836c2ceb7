/// The settings for pop-ups.
public struct NotificationConfiguration: Hashable, Sendable {
    public var enabled = true
    public var preview = Preview.full
    /// The content while the screen is locked.
    public var locked = Locked.count
    /// The number of simultaneous pop-ups, at least 1; further messages are combined in one summary.
    public var maxPopups = 5
    public var quietHours: QuietHours?
    /// Whether urgent messages pop up during quiet hours.
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    /// Whether messages of type `system` pop up.
    public var systemMessages = false

    public init() {}

    /// The content that a pop-up shows, from most to least.
    public enum Preview: String, CaseIterable, Sendable {
        /// Sender, title and text.
        case full
        /// Sender and title.
        case sender
        /// Only the number of messages.
        case count
    }

    /// The content that a pop-up shows at most while the screen is locked.
    public enum Locked: String, CaseIterable, Sendable {
        case full, sender, count
        /// Nothing: pop-ups are held until the screen is unlocked.
        case hold
    }

    /// The sound of a notification.
    public enum Sound: Hashable, Sendable {
        /// The notification server's sound for a new message.
        case standard
        case none
        /// The name of a sound in the XDG sound theme.
        case named(String)
    }

    static let keys = [
        "enabled", "preview", "locked", "max_popups", "quiet_hours", "urgent_breaks_quiet", "sound",
        "system_messages",
    ]

    init(_ section: ConfigurationSection) throws(ConfigurationError) {
        if let value = section["enabled"] { enabled = try value.flag() }
        if let value = section["preview"] { preview = try value.word() }
        if let value = section["locked"] { locked = try value.word() }
        if let value = section["max_popups"] { maxPopups = try value.number(in: 1...100) }
        if let value = section["quiet_hours"] { quietHours = try value.quietHours() }
        if let value = section["urgent_breaks_quiet"] { urgentBreaksQuiet = try value.flag() }
        if let value = section["sound"] { sound = try value.sound() }
        if let value = section["system_messages"] { systemMessages = try value.flag() }
    }
}

extension NotificationConfiguration.Preview: Comparable {
    /// Orders by how much a pop-up shows: `count`, `sender`, `full`.
    public static func < (one: Self, other: Self) -> Bool { one.amount < other.amount }

    private var amount: Int {
        switch self {
        case .count: 0
        case .sender: 1
        case .full: 2
        }
    }
}

extension ConfigurationScalar {
    fileprivate func quietHours() throws(ConfigurationError) -> QuietHours {
        guard let hours = QuietHours(try text()) else {
            throw error("must be two different times of day, for example \"22:00-07:00\"")
        }
        return hours
    }

    func sound() throws(ConfigurationError) -> NotificationConfiguration.Sound {
        if let flag = try? flag() { return flag ? .standard : .none }
        let name = try text()
        guard !name.isEmpty, !name.contains("/") else {
            throw error(
                "must be true, false or the name of a sound in the sound theme, such as message-new-instant")
        }
        return .named(name)
    }
}

/// A daily period without pop-ups, in local time; can span midnight.
public struct QuietHours: Hashable, Sendable {
    /// The first quiet minute of the day, 0 to 1439.
    public let from: Int
    /// The first minute after the quiet hours, 0 to 1439.
    public let to: Int

    /// `nil` if a minute is outside the day, or if both are equal: that could mean no time or all day.
    public init?(from: Int, to: Int) {
        let day = 0..<24 * 60
        guard day.contains(from), day.contains(to), from != to else { return nil }
        (self.from, self.to) = (from, to)
    }

    /// Parses `22:00-07:00`; `nil` for other forms.
    public init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = Self.minute(ends[0]), let to = Self.minute(ends[1]) else {
            return nil
        }
        self.init(from: from, to: to)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.trimmingSpaces.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = UInt8(digits: parts[0]), let minute = UInt8(digits: parts[1]), hour < 24, minute < 60
        else { return nil }
        return Int(hour) * 60 + Int(minute)
    }
}

extension QuietHours: CustomStringConvertible {
    public var description: String { Self.clock(from) + "-" + Self.clock(to) }

    private static func clock(_ minute: Int) -> String {
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return twoDigits(minute / 60) + ":" + twoDigits(minute % 60)
    }
}
