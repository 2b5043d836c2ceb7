import Localization

/// The settings, as stored in the configuration file.
public struct SettingValues: Hashable, Sendable {
    public enum Preview: Hashable, Sendable, CaseIterable {
        case full, sender, count
    }

    /// The content of notifications while the screen is locked.
    public enum LockScreenPreview: Hashable, Sendable, CaseIterable {
        case full, sender, count
        /// Notifications are held until the screen is unlocked.
        case hold
    }

    public enum Sound: Hashable, Sendable {
        case standard, none
        /// A sound of the desktop's sound theme.
        case named(String)
    }

    /// The quiet hours that the page can edit: one period on certain days of the week. Times are in minutes
    /// after midnight (0 to 1439).
    public struct QuietTime: Hashable, Sendable {
        public var from: Int
        public var to: Int
        public var days: Days
        /// Further periods in the syntax of the configuration file. The page cannot edit these periods, but
        /// preserves them.
        public var others: [String]

        /// The days of the week on which the period begins.
        public enum Days: Hashable, Sendable {
            case every, weekdays, weekend
            /// Any other days, in the syntax of the configuration file.
            case other(String)
        }

        public init(from: Int, to: Int, days: Days = .every, others: [String] = []) {
            (self.from, self.to, self.days, self.others) = (from, to, days, others)
        }

        /// The default quiet hours, 22:00 to 7:00.
        public static let night = QuietTime(from: 22 * 60, to: 7 * 60)
    }

    /// The user's name in one account, as shown to support. The name is stored by the daemon, not in the
    /// configuration file.
    public struct UserName: Hashable, Sendable {
        public var account: String
        /// The user's name; empty if the user has no name.
        public var name: String

        public init(account: String, name: String) { (self.account, self.name) = (account, name) }
    }

    /// Whether notifications are on, as in `cutied ctl notifications`. The daemon stores this value; `nil` if
    /// the daemon did not respond.
    public var notificationsEnabled: Bool? = true
    public var preview = Preview.full
    public var locked = LockScreenPreview.count
    /// The first period of the quiet hours; `nil` if quiet hours are off.
    public var quietTime: QuietTime?
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    public var systemMessages = false
    /// The delays in seconds after which a conversation that waits for a reply causes a reminder:
    /// `remindAfter` for support staff, `remindWaiting` for users. `nil` if there is no reminder.
    public var remindAfter: Int?
    public var remindWaiting: Int?
    /// Whether the status icon starts with the desktop session; `nil` if the status icon is not installed.
    public var indicator: Bool?
    /// Whether Enter sends a reply. Ctrl+Enter always sends a reply.
    public var enterSends = false
    /// The user's name in each device account; `nil` if the daemon did not respond.
    public var names: [UserName]? = []

    public init() {}
}

/// A setting with its new value.
public enum PreferenceChange: Hashable, Sendable {
    case notificationsEnabled(Bool)
    case preview(SettingValues.Preview)
    case locked(SettingValues.LockScreenPreview)
    case quietTime(SettingValues.QuietTime?)
    case urgentBreaksQuiet(Bool)
    case sound(SettingValues.Sound)
    case systemMessages(Bool)
    /// The delay before the reminder in seconds; `nil` for no reminder.
    case remindAfter(Int?)
    case remindWaiting(Int?)
    case indicator(Bool)
    case enterSends(Bool)
    case name(account: String, String)

    /// A setting, without its value.
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
    mutating func apply(_ setting: PreferenceChange) {
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
            names = names?.map { $0.account == account ? UserName(account: account, name: value) : $0 }
        }
    }
}

/// The settings page, as a state machine. The page shows a change immediately, saves one change at a time,
/// and reverts a change that cannot be saved.
public struct SettingsState: Sendable {
    public enum Input: Hashable, Sendable {
        case open
        case read(SettingValues)
        /// The configuration file cannot be read or parsed. The value is the error message, with the line
        /// number.
        case unreadable(String)
        case change(PreferenceChange)
        /// The change was saved. `isForLater`: whether the change takes effect only when the daemon starts,
        /// because the daemon is not running.
        case saved(isForLater: Bool)
        /// The change was rejected, so the file is unchanged. The value is the error message.
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
    /// The error message for each setting, shown next to the setting.
    public private(set) var problems: [PreferenceChange.Topic: String] = [:]
    /// The values in the file, without the unsaved changes.
    private var values = SettingValues()
    /// The period that is used if the user turns quiet hours on: the last known period.
    public private(set) var offeredQuietTime = SettingValues.QuietTime.night
    /// The unsaved changes. The first change is being saved.
    private var pending: [PreferenceChange] = []

    public init() {}

    /// The values to show: the values in the file, with the unsaved changes applied.
    public var shown: SettingValues {
        var shown = values
        for setting in pending { shown.apply(setting) }
        return shown
    }

    public mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .open:
            if phase != .ready { phase = .reading }
            return [.read]
        case .read(let values):
            (self.values, phase) = (values, .ready)
            offeredQuietTime = values.quietTime ?? offeredQuietTime
        case .unreadable(let sentence): phase = .unreadable(sentence)
        case .change(let setting): return enqueueChange(setting)
        case .saved(let isForLater): return finishSaving(takesEffectAfterRestart: isForLater)
        case .refused(let sentence):
            guard let setting = pending.first else { break }
            problems[setting.topic] = sentence
            pending.removeFirst()
            // Another program may have changed the file, so read it again.
            return pending.isEmpty ? [.read] : saveNextChange()
        }
        return []
    }

    private mutating func enqueueChange(_ setting: PreferenceChange) -> [Action] {
        guard phase == .ready else { return [] }
        let before = shown
        var after = before
        after.apply(setting)
        guard after != before else { return [] }
        problems[setting.topic] = nil
        offeredQuietTime = after.quietTime ?? offeredQuietTime
        // Keep the first change, which is being saved. A new change replaces any other pending change of the
        // same setting.
        let isIdle = pending.isEmpty
        pending = pending.prefix(1) + pending.dropFirst().filter { $0.topic != setting.topic } + [setting]
        return isIdle ? [.save(setting)] : []
    }

    private mutating func finishSaving(takesEffectAfterRestart: Bool) -> [Action] {
        guard let setting = pending.first else { return [] }
        values.apply(setting)
        pending.removeFirst()
        let next = saveNextChange()
        let title = localized("Saved. The change takes effect when Cuti-E starts.")
        return next + (takesEffectAfterRestart && next.isEmpty ? [.showToast(title)] : [])
    }

    private func saveNextChange() -> [Action] { pending.first.map { [.save($0)] } ?? [] }
}

extension SettingValues {
    /// Returns the name of a delay in its largest exact unit, such as `After 4 Hours` or `After 90 Minutes`.
    public static func delayText(seconds: Int) -> String {
        if seconds.isMultiple(of: 86_400) {
            return localized(one: "After {count} Day", other: "After {count} Days", count: seconds / 86_400)
        }
        if seconds.isMultiple(of: 3600) {
            return localized(one: "After {count} Hour", other: "After {count} Hours", count: seconds / 3600)
        }
        if seconds.isMultiple(of: 60) {
            return localized(
                one: "After {count} Minute", other: "After {count} Minutes", count: seconds / 60)
        }
        return localized(one: "After {count} Second", other: "After {count} Seconds", count: seconds)
    }
}
