import Localization

/// The notification settings, as stored in the configuration file.
public struct SettingValues: Hashable, Sendable {
    public enum Preview: Hashable, Sendable, CaseIterable {
        case full, sender, count
    }

    /// The most that a notification shows while the screen is locked.
    public enum Locked: Hashable, Sendable, CaseIterable {
        case full, sender, count
        /// Nothing until the screen is unlocked.
        case hold
    }

    public enum Sound: Hashable, Sendable {
        case standard, none
        /// A sound of the desktop's sound theme, by name.
        case named(String)
    }

    /// A period of some days of the week; minutes after midnight, 0 to 1439.
    public struct QuietTime: Hashable, Sendable {
        public var from: Int
        public var to: Int
        public var days: Days
        /// More periods, as in the configuration file. They are preserved, but cannot be changed here.
        public var others: [String]

        /// The days of the week on which the period begins.
        public enum Days: Hashable, Sendable {
            case every, weekdays, weekend
            /// Other days, as in the configuration file.
            case other(String)
        }

        public init(from: Int, to: Int, days: Days = .every, others: [String] = []) {
            (self.from, self.to, self.days, self.others) = (from, to, days, others)
        }

        /// The default period.
        public static let night = QuietTime(from: 22 * 60, to: 7 * 60)
    }

    /// The user's name in one account, as staff see it. Stored by the daemon, not in the file.
    public struct PersonName: Hashable, Sendable {
        public var account: String
        /// Empty if the user has no name.
        public var name: String

        public init(account: String, name: String) { (self.account, self.name) = (account, name) }
    }

    /// Whether notifications are on, as with `cutied ctl notifications`; `nil` if the daemon did not answer.
    /// The daemon stores this value.
    public var notificationsEnabled: Bool? = true
    public var preview = Preview.full
    public var locked = Locked.count
    /// `nil` if quiet hours are off.
    public var quietTime: QuietTime?
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    public var systemMessages = false
    /// The time after which a waiting conversation causes a reminder, in seconds: for support staff, and for
    /// users; `nil` for never.
    public var remindAfter: Int?
    public var remindWaiting: Int?
    /// Whether the status icon starts with the session; `nil` if its program is not installed.
    public var indicator: Bool?
    /// Whether Enter sends a reply.
    public var enterSends = false
    /// The names in all accounts that write feedback; `nil` if the daemon did not answer.
    public var names: [PersonName]? = []

    public init() {}
}

/// A setting with its new value.
public enum PreferenceChange: Hashable, Sendable {
    case notificationsEnabled(Bool)
    case preview(SettingValues.Preview)
    case locked(SettingValues.Locked)
    case quietTime(SettingValues.QuietTime?)
    case urgentBreaksQuiet(Bool)
    case sound(SettingValues.Sound)
    case systemMessages(Bool)
    /// A time in seconds; `nil` for no reminder.
    case remindAfter(Int?)
    case remindWaiting(Int?)
    case indicator(Bool)
    case enterSends(Bool)
    case name(account: String, String)

    /// The identity of a setting, without its value.
    public enum Topic: Hashable, Sendable {
        case notificationsEnabled, preview, locked, quietTime, urgentBreaksQuiet, sound, systemMessages,
            indicator,
            enterSends, remindAfter, remindWaiting
        case name(account: String)
    }

    public var topic: Topic {
        switch self {
        case .notificationsEnabled: .notificationsEnabled
        case .preview: .preview
        case .locked: .locked
        case .quietTime: .quietTime
        case .urgentBreaksQuiet: .urgentBreaksQuiet
        case .sound: .sound
        case .systemMessages: .systemMessages
        case .remindAfter: .remindAfter
        case .remindWaiting: .remindWaiting
        case .indicator: .indicator
        case .enterSends: .enterSends
        case .name(let account, _): .name(account: account)
        }
    }
}

extension SettingValues {
    mutating func set(_ setting: PreferenceChange) {
        switch setting {
        case .notificationsEnabled(let value): notificationsEnabled = value
        case .preview(let value): preview = value
        case .locked(let value): locked = value
        case .quietTime(let value): quietTime = value
        case .urgentBreaksQuiet(let value): urgentBreaksQuiet = value
        case .sound(let value): sound = value
        case .systemMessages(let value): systemMessages = value
        case .remindAfter(let value): remindAfter = value
        case .remindWaiting(let value): remindWaiting = value
        case .indicator(let value): indicator = value
        case .enterSends(let value): enterSends = value
        case .name(let account, let value):
            names = names?.map { $0.account == account ? PersonName(account: account, name: value) : $0 }
        }
    }
}

/// The page of settings, as a state machine. Changes are shown immediately, written one at a time, and
/// reverted if the daemon refuses them.
public struct SettingsState: Sendable {
    public enum Input: Hashable, Sendable {
        case open
        case read(SettingValues)
        /// The file cannot be read or parsed; an error text with the line number.
        case unreadable(String)
        case change(PreferenceChange)
        /// `isForLater`: the daemon is not running and applies the setting at its next start.
        case saved(isForLater: Bool)
        /// The file is unchanged; the error text.
        case refused(String)
    }

    public enum Action: Hashable, Sendable {
        case read
        case save(PreferenceChange)
        case showToast(String)
    }

    public enum Phase: Hashable, Sendable {
        case reading
        case unreadable(String)
        case ready
    }

    public private(set) var phase = Phase.reading
    /// The error texts, shown next to the settings.
    public private(set) var problems: [PreferenceChange.Topic: String] = [:]
    /// The values that the file contains.
    private var values = SettingValues()
    /// The last known period, used when quiet hours are turned on.
    public private(set) var offeredQuietTime = SettingValues.QuietTime.night
    /// The unsaved changes; the first is being written.
    private var pending: [PreferenceChange] = []

    public init() {}

    /// The values to show, including the unsaved changes.
    public var shown: SettingValues {
        var shown = values
        for setting in pending { shown.set(setting) }
        return shown
    }

    /// Applies one input and returns the resulting actions.
    public mutating func next(_ input: Input) -> [Action] {
        switch input {
        case .open:
            if phase != .ready { phase = .reading }
            return [.read]
        case .read(let values):
            (self.values, phase) = (values, .ready)
            offeredQuietTime = values.quietTime ?? offeredQuietTime
        case .unreadable(let sentence): phase = .unreadable(sentence)
        case .change(let setting): return change(setting)
        case .saved(let isForLater): return saved(isForLater)
        case .refused(let sentence):
            guard let setting = pending.first else { break }
            problems[setting.topic] = sentence
            pending.removeFirst()
            // Another program may have changed the file, so read it again.
            return pending.isEmpty ? [.read] : saveNext()
        }
        return []
    }

    private mutating func change(_ setting: PreferenceChange) -> [Action] {
        guard phase == .ready else { return [] }
        let before = shown
        var after = before
        after.set(setting)
        guard after != before else { return [] }
        problems[setting.topic] = nil
        offeredQuietTime = after.quietTime ?? offeredQuietTime
        // The first change is already being written; of the others, only the last one of each topic is
        // needed.
        let isIdle = pending.isEmpty
        pending = pending.prefix(1) + pending.dropFirst().filter { $0.topic != setting.topic } + [setting]
        return isIdle ? [.save(setting)] : []
    }

    private mutating func saved(_ isForLater: Bool) -> [Action] {
        guard let setting = pending.first else { return [] }
        values.set(setting)
        pending.removeFirst()
        let next = saveNext()
        let title = localized("Saved. The change takes effect when Cuti-E starts.")
        return next + (isForLater && next.isEmpty ? [.showToast(title)] : [])
    }

    private func saveNext() -> [Action] { pending.first.map { [.save($0)] } ?? [] }
}
