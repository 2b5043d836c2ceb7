import Localization

/// What the person wants to be told of, as the config file says it.
public struct SettingValues: Hashable, Sendable {
    public enum Preview: Hashable, Sendable, CaseIterable {
        case full, sender, count
    }

    public enum Sound: Hashable, Sendable {
        case standard, none
        /// Of the desktop's theme.
        case named(String)
    }

    /// Minutes of the day, 0 to 1439.
    public struct QuietTime: Hashable, Sendable {
        public var from: Int
        public var to: Int

        public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

        /// What is offered first.
        public static let night = QuietTime(from: 22 * 60, to: 7 * 60)
    }

    /// The person's name in one account, as support sees it. The daemon stores it, not the file.
    public struct PersonName: Hashable, Sendable {
        public var account: String
        /// Empty if there is none.
        public var name: String

        public init(account: String, name: String) { (self.account, self.name) = (account, name) }
    }

    public var popups = true
    public var preview = Preview.full
    /// nil: no time is quiet.
    public var quietTime: QuietTime?
    public var urgentBreaksQuiet = true
    public var sound = Sound.standard
    public var systemMessages = false
    /// The names in all accounts that write feedback; `nil` if the daemon did not answer.
    public var names: [PersonName]? = []

    public init() {}
}

/// One thing that can be set.
public enum Setting: Hashable, Sendable {
    case popups(Bool)
    case preview(SettingValues.Preview)
    case quietTime(SettingValues.QuietTime?)
    case urgentBreaksQuiet(Bool)
    case sound(SettingValues.Sound)
    case systemMessages(Bool)
    case name(account: String, String)

    /// What it is about, without its value.
    public enum Topic: Hashable, Sendable {
        case popups, preview, quietTime, urgentBreaksQuiet, sound, systemMessages
        case name(account: String)
    }

    public var topic: Topic {
        switch self {
        case .popups: .popups
        case .preview: .preview
        case .quietTime: .quietTime
        case .urgentBreaksQuiet: .urgentBreaksQuiet
        case .sound: .sound
        case .systemMessages: .systemMessages
        case .name(let account, _): .name(account: account)
        }
    }
}

extension SettingValues {
    mutating func set(_ setting: Setting) {
        switch setting {
        case .popups(let value): popups = value
        case .preview(let value): preview = value
        case .quietTime(let value): quietTime = value
        case .urgentBreaksQuiet(let value): urgentBreaksQuiet = value
        case .sound(let value): sound = value
        case .systemMessages(let value): systemMessages = value
        case .name(let account, let value):
            names = names?.map { $0.account == account ? PersonName(account: account, name: value) : $0 }
        }
    }
}

/// The settings, as a state machine: what is changed is shown at once, written one after the other, and shown as
/// it was where it is refused.
public struct SettingsState: Sendable {
    public enum Input: Hashable, Sendable {
        case open
        case read(SettingValues)
        /// The file cannot be read or understood; a sentence with its line.
        case unreadable(String)
        case change(Setting)
        /// `isForLater`: the daemon does not run, and takes it with its next start.
        case saved(isForLater: Bool)
        /// The file is as it was; a sentence.
        case refused(String)
    }

    public enum Action: Hashable, Sendable {
        case read
        case save(Setting)
        case tell(String)
    }

    public enum Phase: Hashable, Sendable {
        case reading
        case unreadable(String)
        case ready
    }

    public private(set) var phase = Phase.reading
    /// Sentences for beside what they are about.
    public private(set) var problems: [Setting.Topic: String] = [:]
    /// As the file has them.
    private var values = SettingValues()
    /// What quiet hours begin with when they are turned on: the last that were here.
    public private(set) var offeredQuietTime = SettingValues.QuietTime.night
    /// What is being written, and then what is still to be.
    private var pending: [Setting] = []

    public init() {}

    /// What is to be shown.
    public var shown: SettingValues {
        var shown = values
        for setting in pending { shown.set(setting) }
        return shown
    }

    /// What to do about `input`.
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
            // Somebody may have changed the file beside us.
            return pending.isEmpty ? [.read] : saveNext()
        }
        return []
    }

    private mutating func change(_ setting: Setting) -> [Action] {
        guard phase == .ready else { return [] }
        let before = shown
        var after = before
        after.set(setting)
        guard after != before else { return [] }
        problems[setting.topic] = nil
        offeredQuietTime = after.quietTime ?? offeredQuietTime
        // The first is on its way already; of the others only the last one of a topic counts.
        let isIdle = pending.isEmpty
        pending = pending.prefix(1) + pending.dropFirst().filter { $0.topic != setting.topic } + [setting]
        return isIdle ? [.save(setting)] : []
    }

    private mutating func saved(_ isForLater: Bool) -> [Action] {
        guard let setting = pending.first else { return [] }
        values.set(setting)
        pending.removeFirst()
        let next = saveNext()
        let told = localized("Saved. It holds as soon as Cuti-E runs.")
        return next + (isForLater && next.isEmpty ? [.tell(told)] : [])
    }

    private func saveNext() -> [Action] { pending.first.map { [.save($0)] } ?? [] }
}
